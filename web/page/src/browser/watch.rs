//! Waits for the signature of a running measurement.

use super::window;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Headers, RequestInit, Response};

/// Address of the running measurement's signature; `None` on other hosts.
pub(crate) fn watched() -> Option<String> {
    window()?.document()?.get_element_by_id("loggia-state")?.get_attribute("data-watch")
}

/// The file at an address and its tag, if the tag differs from the one seen before.
pub(crate) async fn newer(address: &str, seen: &str) -> Option<(String, String)> {
    let window = window()?;
    let headers = Headers::new().ok()?;
    headers.set("If-None-Match", seen).ok()?;
    let request = RequestInit::new();
    request.set_headers(&headers);
    let response = JsFuture::from(window.fetch_with_str_and_init(address, &request)).await.ok()?;
    let response: Response = response.dyn_into().ok()?;
    if response.status() != 200 {
        return None;
    }
    let tag = response.headers().get("ETag").ok()??;
    let text = JsFuture::from(response.text().ok()?).await.ok()?;
    Some((tag, text.as_string()?))
}
