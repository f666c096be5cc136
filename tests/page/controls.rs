//! Fields, sliders and handles.

use crate::{TIME, address_of, loggia, on_the_t3d, quantity, until, visit_t3d};
use serde_json::json;

#[test]
fn fields_sliders_and_handles_change_prediction_and_address() {
    const SELECT: &str = "document.activeElement.select()";
    visit_t3d(async |page| {
        page.find("#bytes").await.click().await.expect("a click");
        page.evaluate(SELECT).await;
        page.find("#bytes").await.send_keys("64KiB").await.expect("keys");
        until(page, TIME, &on_the_t3d("64KiB")).await;
        let address = address_of(page, "bytes", &json!(65536)).await;

        let right = "\u{e014}";
        page.find("#bytes-slider").await.send_keys(right).await.expect("keys");
        until(page, TIME, &on_the_t3d("73728")).await;
        page.find(".handle").await.send_keys(right).await.expect("keys");
        until(page, TIME, &on_the_t3d("81920")).await;
        let field = page.find("#bytes").await.prop("value").await.expect("a property");
        assert_eq!(field.as_deref(), Some("80 KiB"));
        assert_ne!(address_of(page, "bytes", &json!(81920)).await, address);

        // A drag to the grid line of 4 KiB.
        let place = "[...document.querySelectorAll('#p2p .tick')].find(t => t.textContent == '4 KiB')\
                     .getBoundingClientRect()";
        let x = page.evaluate(&format!("{place}.left + {place}.width / 2")).await;
        let y = page.evaluate(&format!("{place}.top - 100")).await;
        for (kind, dx) in [("mousePressed", -40.0), ("mouseMoved", -20.0), ("mouseMoved", 0.0)] {
            let x = x.as_f64().expect("a number") + dx;
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": 1,
                               "clickCount": 1});
            page.devtools("Input.dispatchMouseEvent", event).await;
        }
        until(page, TIME, &on_the_t3d("4KiB")).await;
        page.find("#bytes").await.click().await.expect("a click");
        page.evaluate(SELECT).await;
        page.find("#bytes").await.send_keys("81920").await.expect("keys");
        until(page, TIME, &on_the_t3d("81920")).await;

        page.find("input[name=view][value=collectives] + span")
            .await
            .click()
            .await
            .expect("a click");
        page.find("#procs-slider").await.send_keys(right).await.expect("keys");
        let answer = loggia(&[
            "predict",
            "collective",
            "cray-t3d",
            "--op",
            "alltoall",
            "--procs",
            "72",
            "--bytes",
            "81920",
            "--json",
        ]);
        until(page, "predict.collective.time_us", &answer["time_us"]).await;
    });
}

#[test]
fn an_invalid_size_has_the_error_of_the_command() {
    visit_t3d(async |page| {
        let before = quantity(page, TIME).await;
        page.find("#bytes").await.send_keys("x").await.expect("keys");
        let problem = page.text("#bytes-problem").await;
        assert!(problem.contains("`1 KiBx` is not a size"), "{problem}");
        assert!(problem.contains("64KiB (binary)"), "{problem}");
        assert_eq!(quantity(page, TIME).await, before);
        page.find("#bytes-slider").await.send_keys("\u{e014}").await.expect("keys");
        until(page, TIME, &on_the_t3d("1152")).await;
        assert_eq!(page.text("#bytes-problem").await, "");
    });
}
