//! The measured eager limit, compared with the limit that was set.

use crate::judged::{Failure, check_repeatedly, collected, number};
use crate::lab::file::{list, tier};
use crate::lab::link::{Link, gigabit};
use crate::lab::mpirun::{Library, Mpirun};
use crate::lab::running::alone;
use serde_json::Value;

/// Bytes of Open MPI's header in an eager message.
const HEADER: f64 = 64.0;

#[test]
fn the_eager_limit_that_was_set_is_bracketed() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    let Some(link) = Link::up(gigabit(200)) else { return };
    for limit in [8192, 65536] {
        let set =
            format!("--mca btl_tcp_eager_limit {limit} --mca btl_tcp_rndv_eager_limit {limit}");
        check_repeatedly(|| {
            let words = "--only eager-limit --style isend,send";
            let file = collected(&link, &mpirun, [1, 1], &set, words);
            let network = tier(&file, "network");
            let of_all = &network["progress"]["eager_limit"];
            let mut words = Vec::new();
            for style in ["isend", "send"] {
                let own = list(&network["styles"]).iter().find(|s| s["name"] == style);
                let own = own.map(|s| &s["eager_limit"]).filter(|limit| limit.is_object());
                let found = own.unwrap_or(of_all);
                words.push(bracketed(style, found, f64::from(limit))?);
            }
            Ok(words.join("\n"))
        });
    }
}

/// Whether the interval is narrow and includes the limit of the payload: the set limit minus the header.
fn bracketed(style: &str, found: &Value, limit: f64) -> Result<String, Failure> {
    let value = number(found)?;
    let [low, high] = ["low", "high"].map(|end| found[end].as_f64().unwrap_or(f64::NAN));
    let words = format!("S of {style}: {low} ≤ {value} < {high}, set to {limit}");
    let is_narrow = low <= value && value < high && high - low <= 0.02 * low;
    let holds = low <= limit && limit - HEADER < high && (limit - low).abs() <= 0.02 * limit;
    if is_narrow && holds { Ok(words) } else { Err(Failure::Wrong(words)) }
}
