//! `loggia validate SIG`

use super::ranks::led_by;
use crate::cli::Validate;
use crate::collect::{Compared, Validation, validate};
use crate::report::table::table;
use crate::report::{Failure, Output};
use crate::source;
use loggia_model::units::words::{number, size, time};
use std::fmt::Write;

pub(crate) fn run(args: &Validate, output: &mut Output) -> Result<(), Failure> {
    let signature = source::load(&args.sig)?;
    let checked =
        led_by(&args.ranks, output.is_json(), |transport| validate(transport, &signature))?;
    match checked {
        Some(checked) => output.answer(&checked, || describe(&checked)),
        None => Ok(()),
    }
}

fn percent(error: f64) -> String {
    format!("{}%", number(error * 100.0, 3))
}

fn describe(checked: &Validation) -> String {
    let mut text = String::new();
    let mut heading = (String::new(), None);
    for check in &checked.checks {
        if heading != (check.tier.clone(), Some(check.what)) {
            heading = (check.tier.clone(), Some(check.what));
            let of_it = checked
                .checks
                .iter()
                .filter(|other| (&other.tier, other.what) == (&check.tier, check.what));
            let _ = writeln!(text, "{}, {}", check.tier, check.what.words());
            let models: Vec<&str> = check.predictions.keys().copied().collect();
            let mut header = vec!["bytes>", "measured>"];
            if check.what != Compared::PingPong {
                header.insert(1, "computes>");
            }
            let names: Vec<String> = models.iter().map(|model| format!("{model}>")).collect();
            header.extend(names.iter().map(String::as_str));
            let rows = of_it.map(|check| {
                let mut row = vec![size(check.bytes)];
                row.extend(check.compute_us.map(time));
                row.push(time(check.measured_us));
                row.extend(models.iter().map(|model| match check.predictions.get(model) {
                    Some(predicted) => {
                        format!("{} ({})", time(predicted.time_us), percent(predicted.error))
                    }
                    None => "—".to_owned(),
                }));
                row
            });
            let _ = writeln!(text, "{}", table(&header, rows));
        }
    }
    let rows = checked.models.iter().map(|score| {
        [
            score.tier.clone(),
            score.what.words().to_owned(),
            score.model.to_owned(),
            score.checks.to_string(),
            percent(score.median_error),
            percent(score.largest_error),
        ]
    });
    let header = ["", "", "model", "checks>", "median error>", "largest>"];
    let _ = write!(text, "{}", table(&header, rows));
    text
}
