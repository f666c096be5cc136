//! Differences in the environment of machines and measurements, which may explain a change.

use crate::signature::{Collection, Origin, Signature};
use serde::Serialize;
use std::collections::BTreeSet;

/// A property that differs between machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Condition {
    /// Its name, such as `library` or `ranks`.
    pub what: String,
    /// Values by machine; `None` if unknown.
    pub values: Vec<Option<String>>,
}

/// The properties that differ, the most relevant first.
///
/// ```
/// use loggia_model::{compare, library};
/// let (t3d, now) = (library::load("cray-t3d")?, library::load("now-sparc")?);
/// let found = compare::conditions(&[&t3d, &now]);
/// assert!(found.iter().any(|condition| condition.what == "network"));
/// assert_eq!(compare::conditions(&[&t3d, &t3d]), []);
/// # Ok::<(), loggia_model::Error>(())
/// ```
pub fn conditions(machines: &[&Signature]) -> Vec<Condition> {
    let all: Vec<Vec<(String, String)>> =
        machines.iter().map(|machine| conditions_of(machine)).collect();
    let names: Vec<Vec<String>> =
        all.iter().map(|of| of.iter().map(|(what, _)| what.clone()).collect()).collect();
    super::merged(&names, PartialEq::eq)
        .into_iter()
        .filter_map(|what| {
            let value = |of: &Vec<(String, String)>| {
                of.iter().find(|(name, _)| *name == what).map(|(_, value)| value.clone())
            };
            let values: Vec<Option<String>> = all.iter().map(value).collect();
            let differs = values.iter().any(|value| *value != values[0]);
            differs.then_some(Condition { what, values })
        })
        .collect()
}

/// Properties of a signature's machine and measurement, without the date.
fn conditions_of(signature: &Signature) -> Vec<(String, String)> {
    let machine = &signature.machine;
    let count = |number: Option<u32>| number.map(|number| number.to_string());
    let mut conditions: Vec<(String, Option<String>)> = vec![
        ("library".to_owned(), library(signature)),
        ("network".to_owned(), machine.network.clone()),
        ("processors".to_owned(), machine.processors.clone()),
        ("nodes".to_owned(), count(machine.nodes)),
        ("processors per node".to_owned(), count(machine.cores_per_node)),
    ];
    if let Origin::Measurement { tool, method, host, .. } = &signature.origin {
        let by = [("host", host), ("tool", tool), ("method", method)];
        conditions.extend(by.map(|(what, value)| (what.to_owned(), Some(value.clone()))));
    }
    conditions.extend(signature.collection.iter().flat_map(of_collection));
    let path =
        |tier: &crate::signature::Tier| (format!("path of {}", tier.name), tier.path.clone());
    conditions.extend(signature.tiers.iter().map(path));
    conditions.into_iter().filter_map(|(what, value)| Some((what, value?))).collect()
}

fn library(signature: &Signature) -> Option<String> {
    let machine = &signature.machine;
    let parts = [&machine.library, &machine.library_version];
    let known: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
    (!known.is_empty()).then(|| known.join(" "))
}

fn of_collection(of: &Collection) -> Vec<(String, Option<String>)> {
    let hosts: BTreeSet<&str> = of.hosts.iter().map(|host| host.name.as_str()).collect();
    let bound: Vec<&str> =
        of.hosts.iter().flat_map(|host| &host.processors).map(String::as_str).collect();
    let list = |all: Vec<&str>| Some(all.join(" ")).filter(|all| !all.is_empty());
    let mut conditions = vec![
        ("transport".to_owned(), Some(of.transport.clone())),
        ("ranks".to_owned(), Some(of.ranks.to_string())),
        ("hosts".to_owned(), list(hosts.into_iter().collect())),
        ("processor binding".to_owned(), list(bound)),
        ("clock".to_owned(), Some(of.clock.source.clone())),
        ("plan".to_owned(), Some(of.plan.clone())),
    ];
    conditions.extend(of.settings.iter().map(|(key, value)| (key.clone(), Some(value.clone()))));
    conditions
}
