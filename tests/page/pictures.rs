//! Saved pictures: their text, light colours, and the numbers in them.

use crate::browser::{Page, Scheme, visit};
use crate::sharing::{click, save_folder, saved};
use crate::{TIME, link, quantity, visit_t3d};
use serde_json::json;
use tempfile::TempDir;

/// Rows of a CSV file without commas in its names.
fn rows(csv: &[u8]) -> Vec<Vec<String>> {
    let text = std::str::from_utf8(csv).expect("text");
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn a_picture_is_saved_with_its_text_and_its_numbers() {
    visit(&link("cray-t3d", "message", &["bytes=64KiB"]), async |page| {
        let saves = save_folder(page).await;
        page.find("#p2p canvas").await;
        click(page, "#p2p [data-form=SVG]").await;
        let svg = saved(&saves, "cray-t3d-message.svg").await;
        let svg = String::from_utf8(svg).expect("text");
        let size = page.call(SVG_SIZE, &[json!(svg)]).await;
        for text in ["Cray T3D: Message", "message size", "time", "16 MiB", "total"] {
            assert!(svg.contains(text), "{text} is not in the picture");
        }
        assert!(!svg.contains("var(--") && !svg.contains("64 KiB: "));

        click(page, "#p2p [data-form=PNG]").await;
        let png = saved(&saves, "cray-t3d-message.png").await;
        let length =
            |at: usize| png[at..at + 4].iter().fold(0, |n, byte| n * 256 + u32::from(*byte));
        let doubled =
            size.as_array().expect("a size").iter().map(|n| n.as_f64().expect("a number") * 2.0);
        assert_eq!([length(16), length(20)].map(f64::from).to_vec(), doubled.collect::<Vec<_>>());

        click(page, "#p2p [data-form=CSV]").await;
        let rows = rows(&saved(&saves, "cray-t3d-message.csv").await);
        assert_eq!(rows[0][0], "message size (bytes)");
        let total = rows[0].iter().position(|name| name == "total (us)").expect("a column");
        let row = rows.iter().find(|row| row[0] == "65536").expect("a row");
        let found: f64 = row[total].parse().expect("a number");
        assert_eq!(json!(found), quantity(page, TIME).await);
    });
}

/// Size of a picture; an error if the SVG is not well-formed.
const SVG_SIZE: &str = "(text) => {
    const picture = new DOMParser().parseFromString(text, 'image/svg+xml');
    if (picture.querySelector('parsererror')) throw new Error(picture.documentElement.textContent);
    return ['width', 'height'].map(name => Number(picture.documentElement.getAttribute(name)));
}";

/// The dark page also saves pictures in light colours; a space-time diagram has its legend.
#[test]
fn a_diagram_is_saved_light_and_with_its_legend() {
    visit_t3d(async |page| {
        page.scheme(Scheme::Dark).await;
        page.open(&link("cray-t3d", "protocols", &["protocol=t"])).await;
        let saves = save_folder(page).await;
        click(page, ".protocol .export [data-form=SVG]").await;
        let svg = saved(&saves, "cray-t3d-space-time-diagram.svg").await;
        let svg = String::from_utf8(svg).expect("text");
        page.call(SVG_SIZE, &[json!(svg)]).await;
        for text in [", sending", "L, latency", "#56b4e9", "rgb(21, 25, 30)", "sender"] {
            assert!(svg.contains(text), "{text} is not in the picture");
        }
        assert!(!svg.contains("rgb(236, 239, 242)"), "text in dark colours");
        click(page, ".protocol .export [data-form=CSV]").await;
        let rows = rows(&saved(&saves, "cray-t3d-space-time-diagram.csv").await);
        assert_eq!(rows[0].join(","), "place,towards,activity,message,start (us),end (us)");
        let end = rows[1..].iter().filter_map(|row| row[5].parse::<f64>().ok());
        let end = end.fold(0.0, f64::max);
        assert_eq!(json!(end), quantity(page, "predict.protocol.delivery_us").await);
    });
}

/// A picture other than lines over an axis.
struct Picture {
    /// Its part of the file name.
    name: &'static str,
    /// Selector of the section with its buttons.
    inside: &'static str,
    /// Selector of an element that exists when the picture is complete.
    ready: &'static str,
    /// Texts that it must contain.
    texts: &'static [&'static str],
    /// First line of its CSV file.
    head: &'static str,
}

/// A view, and the pictures in it.
type View = (&'static str, &'static [&'static str], &'static [Picture]);

const VIEWS: [View; 4] = [
    (
        "protocols",
        &["bytes=64KiB", "protocol=rta", "machines=yes"],
        &[
            Picture {
                name: "all-protocols-on-one-time-axis",
                inside: "#protocols .all-four",
                ready: "#protocols .all-four svg[width]",
                texts: &["RTA", "TA", "rgb(230, 159, 0)", "bytes in flight"],
                head: "of,place,towards,activity,message,start (us),end (us)",
            },
            Picture {
                name: "rta-on-each-machine",
                inside: "#beside",
                ready: "#beside .one svg[width]",
                texts: &["Cray T3D", "sending", "ms"],
                head: "of,place,towards,activity,message,start (us),end (us)",
            },
        ],
    ),
    (
        "collectives",
        &["op=bcast", "procs=8", "bytes=64"],
        &[
            Picture {
                name: "fastest-algorithm-by-size-and-ranks",
                inside: "#fastest",
                ready: "#fastest canvas[data-whole=true]",
                texts: &[
                    "pipelined-chain",
                    "16 MiB",
                    "image-rendering=\"pixelated\"",
                    "data:image/png;base64,",
                ],
                head: "message size (bytes),ranks,fastest",
            },
            Picture {
                name: "simulated-run",
                inside: "#run",
                ready: "#run svg .work",
                texts: &["#e69f00", "µs"],
                head: "rank,towards,activity,start (us),end (us),critical",
            },
        ],
    ),
    (
        "simulate",
        &["op=bcast", "procs=16", "bytes=64"],
        &[
            Picture {
                name: "timeline",
                inside: "#timeline",
                ready: "#timeline .flights",
                texts: &[
                    "15",
                    "µs",
                    "image-rendering=\"pixelated\"",
                    "data:image/png;base64,",
                    "idle",
                ],
                head: "rank,processor,towards,activity,operation,start (us),end (us)",
            },
            Picture {
                name: "time-of-each-rank",
                inside: "#time-split",
                ready: "#time-split .stacks rect",
                texts: &["rank 0", "rank 15", "idle"],
                head: "first rank,ranks,computing (us)",
            },
            Picture {
                name: "t-l",
                inside: "#curve .over:first-of-type",
                ready: "#curve .over path.swept",
                texts: &[">L</text>", "µs"],
                head: "L from (us),L to (us),time (us),slope,jumps",
            },
        ],
    ),
    (
        "overlap",
        &["bytes=64KiB", "machines=yes"],
        &[
            Picture {
                name: "overhead-by-computation",
                inside: "#sweep",
                ready: "#sweep path.swept",
                texts: &["LogGP o", "overhead", "ms"],
                head: "computation (us),LogGP o_s (us),LogGP o_r (us),O_s (us),O_r (us)",
            },
            Picture {
                name: "overlap-ratios",
                inside: "#beside",
                ready: "#beside path.swept",
                texts: &["0.75", "cray-t3d"],
                head: "computation (ns),\"Cray T3D, changed: send overlap ratio\",",
            },
        ],
    ),
];

const BARS: Picture = Picture {
    name: "broadcast",
    inside: ".panel-of-figure:first-of-type",
    ready: ".panel-of-figure .machine-bars rect",
    texts: &["IBM SP2", "Intel Paragon", "µs"],
    head: "bar,part,value (us)",
};

/// Saves a picture in all formats, and checks the files.
async fn save_and_check(page: &Page, saves: &TempDir, machine: &str, picture: &Picture) {
    let Picture { name, inside, ready, texts, head } = picture;
    // A picture outside the window is not drawn.
    page.find(inside).await;
    const SHOW: &str = "(inside) => {
        const all = document.querySelector(inside);
        all.closest('.folded')?.setAttribute('open', '');
        (all.querySelector('figure') ?? all).scrollIntoView();
    }";
    page.call(SHOW, &[json!(inside)]).await;
    page.find(ready).await;
    click(page, &format!("{inside} .export [data-form=SVG]")).await;
    let svg = saved(saves, &format!("{machine}-{name}.svg")).await;
    let svg = String::from_utf8(svg).expect("text");
    let size = page.call(SVG_SIZE, &[json!(svg)]).await;
    let is_wide = size.as_array().expect("a size").iter().all(|n| n.as_f64() > Some(100.0));
    assert!(is_wide, "{name} is {size}");
    for text in *texts {
        assert!(svg.contains(text), "{text} is not in {name}");
    }
    assert!(!svg.contains("rgb(236, 239, 242)"), "text in dark colours in {name}");
    click(page, &format!("{inside} .export [data-form=CSV]")).await;
    let csv = saved(saves, &format!("{machine}-{name}.csv")).await;
    let csv = String::from_utf8(csv).expect("text");
    assert!(csv.starts_with(head) && csv.lines().count() > 1, "{name}: {csv:.200}");
    click(page, &format!("{inside} .export [data-form=PNG]")).await;
    let png = saved(saves, &format!("{machine}-{name}.png")).await;
    assert!(png.starts_with(b"\x89PNG"), "{name}.png is no PNG");
}

#[test]
fn every_picture_is_saved_with_its_contents() {
    visit_t3d(async |page| {
        page.scheme(Scheme::Dark).await;
        let saves = save_folder(page).await;
        for (view, set, pictures) in VIEWS {
            page.open(&link("cray-t3d", view, set)).await;
            if view == "overlap" {
                click(page, "#overlap .assume").await;
            }
            for picture in pictures {
                save_and_check(page, &saves, "cray-t3d", picture).await;
            }
        }
        page.open("#figure=hwang-4").await;
        save_and_check(page, &saves, "ibm-sp2", &BARS).await;
    });
}
