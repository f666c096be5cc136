//! The places that `index.html` has, and the text of the worker.

/// Where `index.html` wants the stylesheet and the script.
pub(crate) const PLACE: &str = "<!-- loggia-bundle: stylesheet and script -->";

/// Puts the links in their place, if there is one.
pub(crate) fn fill(template: &str, links: &str) -> Option<String> {
    let (before, after) = template.split_once(PLACE)?;
    (!after.contains(PLACE)).then(|| format!("{before}{links}{after}"))
}

/// The worker's script, before and after the lines that define `Simulator`. It posts null when it is
/// ready. Each message is a question with the opened files that it concerns; each answer is a text,
/// bytes, and its duration in milliseconds. An error that cannot be caught ends the worker, which
/// posts it. A plain script, since no browser starts a module worker from a page that is a file.
pub(crate) const WORK: [&str; 2] = [
    "(async () => {\n\"use strict\";\n",
    "\n\
     const simulator = new Simulator();\n\
     onmessage = async ({ data: [question, files] }) => {\n\
     \x20 try {\n\
     \x20   for (const file of files || [])\n\
     \x20     simulator.add(file.name, new Uint8Array(await file.arrayBuffer()));\n\
     \x20   const begin = performance.now();\n\
     \x20   const text = simulator.answer(question);\n\
     \x20   postMessage([text, simulator.shares(), performance.now() - begin]);\n\
     \x20 } catch (error) {\n\
     \x20   postMessage(String(error));\n\
     \x20 }\n\
     };\n\
     postMessage(null);\n\
     })().catch((error) => postMessage(String(error)));\n",
];
