//! Joins chunks, the code that several parts of the page share, into fewer files. There is one chunk
//! for each set of parts, so that most chunks are tiny, and their requests take longer than their bytes.

use crate::join::joined;
use crate::split::LazyModules;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Bytes that take about as long as one more request.
const REQUEST: usize = 4_000;

/// A chunk, or several in one file.
struct Chunk {
    /// Names of the chunks without `.wasm`; the file has the first name.
    names: Vec<String>,
    bytes: usize,
    parts: BTreeSet<usize>,
}

impl Chunk {
    /// The costs of loading it for each of its parts, in bytes.
    fn costs(parts: usize, bytes: usize) -> usize {
        parts * (bytes + REQUEST)
    }

    /// What is saved if both are one file, which every part of either loads.
    fn saved(&self, other: &Chunk) -> usize {
        let [one, two] = [self, other].map(|chunk| Chunk::costs(chunk.parts.len(), chunk.bytes));
        let both = self.parts.union(&other.parts).count();
        (one + two).saturating_sub(Chunk::costs(both, self.bytes + other.bytes))
    }
}

/// The same parts with fewer files. `needs` has the files of each part, without `.wasm`.
pub(crate) fn merged(
    later: &LazyModules,
    needs: &HashMap<String, Vec<String>>,
) -> Result<LazyModules, String> {
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (name, content) in &later.parts {
        files.insert(name.trim_end_matches(".wasm").to_owned(), joined(&[content])?);
    }
    let needed: BTreeMap<_, _> = needs.iter().collect();
    let chunks = files.iter().filter_map(|(name, content)| {
        let is_needed =
            |(place, names): (usize, &&Vec<String>)| names.contains(name).then_some(place);
        let parts: BTreeSet<usize> = needed.values().enumerate().filter_map(is_needed).collect();
        let names = vec![name.clone()];
        (parts.len() > 1).then_some(Chunk { names, bytes: content.len(), parts })
    });
    let mut chunks: Vec<Chunk> = chunks.collect();
    while let Some((one, other)) = best(&chunks) {
        let chunk = chunks.swap_remove(one.max(other));
        let kept = &mut chunks[one.min(other)];
        kept.names.extend(chunk.names);
        kept.bytes += chunk.bytes;
        kept.parts.extend(chunk.parts);
    }
    let mut places: BTreeMap<String, String> = BTreeMap::new();
    for Chunk { mut names, .. } in chunks.into_iter().filter(|chunk| chunk.names.len() > 1) {
        names.sort();
        let contents: Vec<Vec<u8>> = names.iter().filter_map(|name| files.remove(name)).collect();
        let contents: Vec<&[u8]> = contents.iter().map(Vec::as_slice).collect();
        files.insert(names[0].clone(), joined(&contents)?);
        let place = names[0].clone();
        places.extend(names.into_iter().map(|name| (name, place.clone())));
    }
    let link = with_places(&later.link, &places);
    if link.matches("fetch(").count() != files.len() {
        return Err("the loader of the parts has another form than expected".to_owned());
    }
    let parts =
        files.into_iter().map(|(name, content)| (format!("{name}.wasm"), content)).collect();
    Ok(LazyModules { link, parts })
}

/// The two chunks that save most as one file, if any do.
fn best(chunks: &[Chunk]) -> Option<(usize, usize)> {
    let pairs = (0..chunks.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
    let saved = pairs.map(|(one, other)| (chunks[one].saved(&chunks[other]), one, other));
    saved.max().filter(|(saved, ..)| *saved > 0).map(|(_, one, other)| (one, other))
}

/// The loader with the file of each chunk.
fn with_places(link: &str, places: &BTreeMap<String, String>) -> String {
    let mut changed = String::with_capacity(link.len());
    let mut in_other = false;
    for line in link.lines() {
        let chunk = line.strip_prefix("const __").and_then(|rest| rest.split_once(" = makeLoad("));
        in_other |= chunk.is_some_and(|(name, _)| places.get(name).is_some_and(|at| at != name));
        if in_other {
            in_other = line != ", []);";
            continue;
        }
        match line.strip_prefix(", [").and_then(|rest| rest.split_once(']')) {
            None => changed.push_str(line),
            Some((names, end)) => {
                let mut files: Vec<String> = Vec::new();
                for name in names.split(", ").filter(|name| !name.is_empty()) {
                    let place = name.strip_prefix("__").and_then(|chunk| places.get(chunk));
                    let file = place.map_or(name.to_owned(), |place| format!("__{place}"));
                    if !files.contains(&file) {
                        files.push(file);
                    }
                }
                changed.push_str(&format!(", [{}]{end}", files.join(", ")));
            }
        }
        changed.push('\n');
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(name: &str, bytes: usize, parts: &[usize]) -> Chunk {
        let parts = parts.iter().copied().collect();
        Chunk { names: vec![name.to_owned()], bytes, parts }
    }

    #[test]
    fn chunks_are_joined_where_requests_cost_more_than_bytes() {
        let small = [chunk("a", 100, &[0, 1]), chunk("b", 200, &[0, 1, 2])];
        // Two requests less, for 100 bytes that one part does not need.
        assert_eq!(small[0].saved(&small[1]), 2 * REQUEST - 100);
        let large = [chunk("a", 50_000, &[0, 1]), chunk("b", 60_000, &[2, 3])];
        assert_eq!(large[0].saved(&large[1]), 0);
        assert_eq!(best(&large), None);
        let [a, b] = small;
        let [_, large] = large;
        assert_eq!(best(&[a, large, b]), Some((2, 0)));
    }

    fn load(name: &str) -> String {
        format!(
            "makeLoad(() => {{\nconst src = fetch(new URL(\"./{name}.wasm\", import.meta.url));\n}}\n"
        )
    }

    #[test]
    fn a_part_loads_each_file_once() {
        let chunks = ["chunk_3", "chunk_7", "chunk_9"];
        let constant = |name: &str| format!("const __{name} = {}, []);\n", load(name));
        let part =
            |files: &str| format!("export const a = wrap({}, [{files}]));\n", load("split_a"));
        let [three, seven, nine] = chunks.map(constant);
        let all = part("__chunk_3, __chunk_7, __chunk_9");
        let link = [&three, &seven, &nine, &all].map(String::as_str).concat();
        let places = [("chunk_3", "chunk_3"), ("chunk_7", "chunk_7"), ("chunk_9", "chunk_3")];
        let places = places.map(|(name, place)| (name.to_owned(), place.to_owned())).into();
        let expected = [&three, &seven, &part("__chunk_3, __chunk_7")].map(String::as_str).concat();
        assert_eq!(with_places(&link, &places), expected);
    }

    #[test]
    fn another_form_of_the_loader_is_refused() {
        let empty = b"\0asm\x01\0\0\0".to_vec();
        let parts = vec![("chunk_3.wasm".to_owned(), empty)];
        let link = "const other = fetch(\"./chunk_3.wasm\") && fetch(\"./b.wasm\");\n".to_owned();
        let later = LazyModules { link, parts };
        assert!(merged(&later, &HashMap::new()).unwrap_err().contains("another form"));
    }
}
