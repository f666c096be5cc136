// The start of the page as one file. Its parts stand in the document, deflated and in base64; the
// page finds the addresses of the simulator and of itself where it finds them on a host.
const whole = ["<!doctype html>\n", document.documentElement.outerHTML, "\n"];
const tell = (name, content, type) => {
    const address = URL.createObjectURL(new Blob(content, { type }));
    document.querySelector(`meta[name=${name}]`).content = address;
};
const part = async (name) => {
    const packed = atob(document.querySelector(`script[data-part="${name}"]`).textContent);
    const bytes = new Blob([Uint8Array.from(packed, (byte) => byte.charCodeAt(0))]);
    const content = bytes.stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(content, { headers: { "Content-Type": "application/wasm" } });
};
