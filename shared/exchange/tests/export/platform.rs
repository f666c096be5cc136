//! SimGrid's rules for platform files: elements, attributes and their order from the DTD, version 4.1,
//! as far as our platforms use them, and the units of SimGrid's parser.

use roxmltree::{Document, Node, ParsingOptions};

/// An element: required attributes, optional attributes with their values, ordered groups of children.
struct Rule {
    element: &'static str,
    required: &'static [&'static str],
    optional: &'static [(&'static str, &'static [&'static str])],
    children: &'static [&'static [&'static str]],
}

const ANY: &[&str] = &[];

const RULES: [Rule; 5] = [
    Rule {
        element: "platform",
        required: &[],
        optional: &[("version", &["4.1"])],
        children: &[&["config"], &["zone", "cluster"], &["actor"]],
    },
    Rule { element: "config", required: &[], optional: &[("id", ANY)], children: &[&["prop"]] },
    Rule { element: "prop", required: &["id", "value"], optional: &[], children: &[] },
    Rule {
        element: "zone",
        required: &["id", "routing"],
        optional: &[],
        children: &[&["prop"], &["zone", "cluster", "link"], &["zoneRoute"]],
    },
    Rule {
        element: "cluster",
        required: &["id", "prefix", "suffix", "radical", "speed", "bw", "lat"],
        optional: &[
            ("core", ANY),
            ("sharing_policy", &["SHARED", "SPLITDUPLEX", "FULLDUPLEX", "FATPIPE"]),
            ("topology", &["FLAT", "TORUS", "FAT_TREE", "DRAGONFLY"]),
            ("topo_parameters", ANY),
            ("bb_bw", ANY),
            ("bb_lat", ANY),
            ("bb_sharing_policy", &["SHARED", "FATPIPE"]),
            ("router_id", ANY),
            ("limiter_link", ANY),
            ("loopback_bw", ANY),
            ("loopback_lat", ANY),
        ],
        children: &[&["prop"]],
    },
];

/// The SimGrid options that we set. SimGrid refuses to start with an unknown option.
const OPTIONS: [&str; 11] = [
    "network/model",
    "network/TCP-gamma",
    "network/crosstraffic",
    "smpi/host-speed",
    "smpi/bw-factor",
    "smpi/lat-factor",
    "smpi/os",
    "smpi/ois",
    "smpi/or",
    "smpi/async-small-thresh",
    "smpi/send-is-detached-thresh",
];

/// Parses a number with a unit.
fn quantity(text: &str, units: &[(&str, f64)]) -> f64 {
    let split = text.find(|c: char| c.is_ascii_alphabetic() && c != 'e').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let (_, factor) = units
        .iter()
        .find(|(name, _)| *name == unit)
        .unwrap_or_else(|| panic!("the unit of {text}"));
    let number: f64 = number.parse().unwrap();
    assert!(number.is_finite() && number >= 0.0, "{text}");
    number * factor
}

/// In s.
pub(super) fn latency(text: &str) -> f64 {
    quantity(text, &[("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9), ("ps", 1e-12)])
}

/// In bytes per second.
pub(super) fn bandwidth(text: &str) -> f64 {
    let rate = quantity(text, &[("Bps", 1.0), ("kBps", 1e3), ("MBps", 1e6), ("GBps", 1e9)]);
    assert!(rate > 0.0, "{text}");
    rate
}

/// A valid platform: its options and the attributes of its cluster.
pub(super) struct Platform {
    options: Vec<(String, String)>,
    cluster: Vec<(String, String)>,
}

impl Platform {
    pub(super) fn read(text: &str) -> Self {
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        let document = Document::parse_with_options(text, options).unwrap();
        assert!(text.contains("<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"));
        let root = document.root_element();
        assert_eq!(root.tag_name().name(), "platform");
        check(root);
        let props = root.descendants().filter(|node| node.has_tag_name("prop"));
        let pair = |prop: Node| {
            [prop.attribute("id"), prop.attribute("value")].map(Option::unwrap).map(str::to_owned)
        };
        let options: Vec<(String, String)> =
            props.map(pair).map(|[id, value]| (id, value)).collect();
        let mut names: Vec<&str> = options.iter().map(|(name, _)| name.as_str()).collect();
        assert!(names.iter().all(|name| OPTIONS.contains(name)), "{names:?}");
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), options.len(), "an option is set twice");
        let cluster = root.descendants().find(|node| node.has_tag_name("cluster")).unwrap();
        let attributes = cluster.attributes().map(|a| (a.name().to_owned(), a.value().to_owned()));
        let platform = Platform { options, cluster: attributes.collect() };
        platform.check_values();
        platform
    }

    pub(super) fn option(&self, name: &str) -> &str {
        let (_, value) = self.options.iter().find(|(id, _)| id == name).unwrap();
        value
    }

    pub(super) fn cluster(&self, name: &str) -> Option<&str> {
        self.cluster.iter().find(|(id, _)| id == name).map(|(_, value)| value.as_str())
    }

    fn check_values(&self) {
        bandwidth(self.cluster("bw").unwrap());
        latency(self.cluster("lat").unwrap());
        let inside = [self.cluster("loopback_bw"), self.cluster("loopback_lat")];
        assert_eq!(inside[0].is_some(), inside[1].is_some());
        inside[0].map(bandwidth);
        inside[1].map(latency);
        for speed in [self.cluster("speed").unwrap(), self.option("smpi/host-speed")] {
            assert!(quantity(speed, &[("f", 1.0), ("Gf", 1e9)]) > 0.0);
        }
        let (first, last) = self.cluster("radical").unwrap().split_once('-').unwrap();
        assert!(first.parse::<u32>().unwrap() <= last.parse::<u32>().unwrap());
        assert_eq!(self.option("network/model"), "SMPI");
        // SMPI requires this.
        let threshold = |name| self.option(name).parse::<i32>().unwrap();
        assert!(threshold("smpi/async-small-thresh") <= threshold("smpi/send-is-detached-thresh"));
    }
}

fn check(node: Node) {
    let name = node.tag_name().name();
    let rule = RULES.iter().find(|rule| rule.element == name);
    let rule = rule.unwrap_or_else(|| panic!("no element <{name}>"));
    for required in rule.required {
        assert!(node.has_attribute(*required), "<{name}> has no {required}");
    }
    for attribute in node.attributes() {
        let optional = rule.optional.iter().find(|(known, _)| *known == attribute.name());
        match optional {
            Some((_, values)) => {
                assert!(values.is_empty() || values.contains(&attribute.value()), "{attribute:?}");
            }
            None => assert!(rule.required.contains(&attribute.name()), "{attribute:?}"),
        }
    }
    let mut group = 0;
    for child in node.children().filter(|child| !child.is_comment()) {
        if child.is_text() {
            assert_eq!(child.text().unwrap_or_default().trim(), "", "text in <{name}>");
            continue;
        }
        let child_name = child.tag_name().name();
        let group_index = rule.children.iter().position(|group| group.contains(&child_name));
        let group_index = group_index.unwrap_or_else(|| panic!("<{child_name}> in <{name}>"));
        assert!(group_index >= group, "<{child_name}> too late in <{name}>");
        group = group_index;
        check(child);
    }
}
