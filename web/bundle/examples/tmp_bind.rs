//! x
fn main(){let a:Vec<String>=std::env::args().collect();let mut b=wasm_bindgen_cli_support::Bindgen::new();b.input_path(&a[1]).out_name("simulator").typescript(false).remove_name_section(true).remove_producers_section(true);b.web(true).unwrap().generate(&a[2]).unwrap();}
