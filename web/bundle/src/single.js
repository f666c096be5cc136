// Starts the single-file page. Its parts are in the document, deflated and in base64. The addresses
// of the page and of the simulator are in the same elements as on a host.
const whole = ["<!doctype html>\n", document.documentElement.outerHTML, "\n"];
const set_address = (name, content, type) => {
    const address = URL.createObjectURL(new Blob(content, { type }));
    document.querySelector(`meta[name=${name}]`).content = address;
};
const part = async (name) => {
    const packed = atob(document.querySelector(`script[data-part="${name}"]`).textContent);
    const bytes = new Blob([Uint8Array.from(packed, (byte) => byte.charCodeAt(0))]);
    const content = bytes.stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(content, { headers: { "Content-Type": "application/wasm" } });
};
