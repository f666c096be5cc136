//! The papers' figures: each opens, with the numbers of the command.

use crate::browser::{Page, visit};
use crate::{loggia, quantity, until};
use serde_json::{Value, json};

/// All values of a figure's lines and bars, from the command.
fn expected(name: &str, at: &str) -> Vec<(String, Value)> {
    let answer = loggia(&["figure", name, "--at", at, "--json"]);
    let panels = answer["panels"].as_array().expect("panels");
    let mut all = Vec::new();
    for (i, panel) in panels.iter().enumerate() {
        for (j, line) in panel["lines"].as_array().expect("lines").iter().enumerate() {
            let path = format!("figure.panels.{i}.lines.{j}.value");
            all.push((path, line["value"].clone()));
        }
        for (j, bar) in panel["bars"].as_array().expect("bars").iter().enumerate() {
            let parts = bar["parts"].as_array().expect("parts");
            if parts.len() > 1 {
                for (k, part) in parts.iter().enumerate() {
                    let path = format!("figure.panels.{i}.bars.{j}.parts.{k}.value");
                    all.push((path, part["value"].clone()));
                }
            }
        }
    }
    all
}

async fn open(page: &Page, name: &str) {
    page.evaluate(&format!("location.hash = '#figure={name}'")).await;
    let start = std::time::Instant::now();
    let title = loggia(&["figure", name, "--json"])["title"].clone();
    loop {
        let shown = page.evaluate("document.querySelector('#figures-title')?.textContent").await;
        if shown == title {
            return;
        }
        assert!(start.elapsed() < crate::PATIENCE, "{name} did not open: {shown}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[test]
fn every_figure_opens_with_the_numbers_of_the_command() {
    visit("#figures", async |page| {
        let listed = loggia(&["figure", "--json"]);
        let mut numbers = 0;
        for figure in listed.as_array().expect("figures") {
            let name = figure["name"].as_str().expect("a name");
            if figure.get("not_drawn").is_some() {
                continue;
            }
            open(page, name).await;
            let bytes = name.starts_with("al-tawil")
                || matches!(name, "hwang-2")
                || ["1", "3", "4", "5"].map(|n| format!("tourino-{n}")).contains(&name.to_owned());
            // The page's default position on the axis.
            let at = if bytes { "1024" } else { "8" };
            for (path, value) in expected(name, at) {
                assert_eq!(quantity(page, &path).await, value, "{name} {path}");
                numbers += 1;
            }
        }
        assert!(numbers > 100, "only {numbers} numbers were compared");
    });
}

/// Hwang, Wang & Wang 1997, Figure 3d: in a scatter of 64 KiB, SP2 is faster at p = 4 and Paragon
/// at p = 8.
#[test]
fn in_scatter_sp2_and_paragon_swap_ranks() {
    visit("#figure=hwang-3", async |page| {
        let mut sp2_is_faster = Vec::new();
        for procs in ["4", "8"] {
            let field = page.find("#figure-at").await;
            field.click().await.expect("a click");
            page.evaluate("document.activeElement.select()").await;
            field.send_keys(procs).await.expect("keys");
            let values = expected("hwang-3", procs);
            let value_of = |machine: usize| {
                let path = format!("figure.panels.3.lines.{}.value", 2 * machine + 1);
                values.iter().find(|(name, _)| *name == path).expect("a line").clone()
            };
            let [(sp2, sp2_time), (paragon, paragon_time)] = [value_of(0), value_of(2)];
            until(page, &sp2, &sp2_time).await;
            until(page, &paragon, &paragon_time).await;
            sp2_is_faster.push(sp2_time.as_f64() < paragon_time.as_f64());
        }
        assert_eq!(sp2_is_faster, [true, false]);
    });
}

#[test]
fn a_figure_of_another_view_shows_its_conclusion_and_can_be_closed() {
    visit("#figure=chen-3a", async |page| {
        let answer = loggia(&["figure", "chen-3a", "--json"]);
        let concluded = answer["concluded"].as_str().expect("a text");
        assert!(page.text(".concluded").await.contains(concluded));
        page.find("#overlap .answer, #overlap .sides").await;
        page.find(".around button").await.click().await.expect("a click");
        let start = std::time::Instant::now();
        while page.evaluate("document.querySelector('#figures')").await != json!(null) {
            assert!(start.elapsed() < crate::PATIENCE, "the figure was not closed");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    });
}
