//! The placeholder in `index.html`, and the script of the worker.

/// The placeholder for the stylesheet and the script.
pub(crate) const PLACEHOLDER: &str = "<!-- loggia-bundle: stylesheet and script -->";

/// Replaces the placeholder by the links; `None` unless there is exactly one.
pub(crate) fn fill(template: &str, links: &str) -> Option<String> {
    let (before, after) = template.split_once(PLACEHOLDER)?;
    (!after.contains(PLACEHOLDER)).then(|| format!("{before}{links}{after}"))
}

/// The worker's script, before and after the lines that define `Simulator`. It posts null when it
/// is ready. Each message is a request with its files; each response is a text, bytes, and the
/// duration in milliseconds. An error that cannot be caught ends the worker, which posts it. It is
/// a classic script, since browsers start no module worker from a page on disk.
pub(crate) const WORKER_SCRIPT: [&str; 2] = [
    "(async () => {\n\"use strict\";\n",
    "\n\
     const simulator = new Simulator();\n\
     onmessage = async ({ data: [request, files] }) => {\n\
     \x20 try {\n\
     \x20   for (const file of files || [])\n\
     \x20     simulator.add(file.name, new Uint8Array(await file.arrayBuffer()));\n\
     \x20   const begin = performance.now();\n\
     \x20   const text = simulator.answer(request);\n\
     \x20   postMessage([text, simulator.shares(), performance.now() - begin]);\n\
     \x20 } catch (error) {\n\
     \x20   postMessage(String(error));\n\
     \x20 }\n\
     };\n\
     postMessage(null);\n\
     })().catch((error) => postMessage(String(error)));\n",
];
