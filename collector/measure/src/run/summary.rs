//! Prints the plan to rank 0's standard error.

use super::machine::Ranks;
use super::options::{MeasurementKind, Options};
use super::plan::{Collectives, Measurement};
use super::signature_file::SignatureFile;
use super::tier_run::TierRun;
use crate::progress_bar::{duration, remark};
use loggia_model::units::words::counted;

/// The measurements of the plan with their estimated times.
pub(super) fn plan(
    ranks: &Ranks,
    options: &Options,
    file: &SignatureFile,
    tiers: &[TierRun],
    (plans, collectives): (&[Measurement], &[Collectives]),
) {
    let signature = &file.signature;
    let library = match (&signature.machine.library, &signature.machine.library_version) {
        (Some(name), Some(version)) => format!("{name} {version}"),
        (name, _) => name.clone().unwrap_or_default(),
    };
    let transport = signature.collection.as_ref().map_or("", |c| c.transport.as_str());
    let hosts = ranks.hosts();
    remark(&format!(
        "loggia collect: {} ranks on {} over {transport} ({library})",
        ranks.all.len(),
        counted(hosts.len(), "host"),
    ));
    for warning in ranks.warnings() {
        remark(&format!("! {warning}"));
    }
    for TierRun { pair, path, .. } in tiers {
        remark(&format!("  {}: ranks {} and {}, {path}", pair.name, pair.leader, pair.partner));
    }
    if hosts.len() == 1 {
        remark("  network: not measured, since all ranks are on one host");
    }
    for kind in &options.only {
        let pair_seconds = plans.iter().filter(|m| m.kind == *kind).map(|m| m.estimate);
        let group_seconds = collectives.iter().filter(|_| *kind == MeasurementKind::Collectives);
        let seconds: Vec<f64> = pair_seconds.chain(group_seconds.map(|c| c.estimate)).collect();
        if !seconds.is_empty() {
            let seconds: f64 = seconds.iter().sum();
            let (name, words) = (kind.name(), kind.words());
            remark(&format!("  {name:<14}{:>7}   {words}", duration(seconds)));
        }
    }
    let groups = collectives.iter().map(|c| c.estimate);
    let all: f64 = plans.iter().map(|m| m.estimate).chain(groups).sum();
    let rounds = plans.iter().map(|m| m.round + 1).chain(collectives.iter().map(|c| c.round + 1));
    let rounds = rounds.max().unwrap_or(1);
    remark(&format!("  about {} in total, in {rounds} rounds", duration(all)));
}
