//! Joins modules that only add functions and data to the memory and the table of another module.

use std::collections::HashMap;
use std::convert::Infallible;
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{
    CodeSection, DataCountSection, DataSection, ElementSection, FunctionSection, ImportSection,
    Module, TypeSection,
};
use wasmparser::{FuncType, Parser, Payload, TypeRef};

/// One module that does what all of these do, without their custom sections and unused types.
pub(crate) fn joined(modules: &[&[u8]]) -> Result<Vec<u8>, String> {
    let mut all = Joined::default();
    for module in modules {
        all.add(module)?;
    }
    Ok(all.finish())
}

#[derive(Default)]
struct Joined {
    indices: Indices,
    imports: ImportSection,
    tables: Vec<String>,
    memories: Vec<String>,
    globals: Vec<String>,
    functions: FunctionSection,
    elements: ElementSection,
    code: CodeSection,
    data: DataSection,
}

impl Joined {
    fn add(&mut self, module: &[u8]) -> Result<(), String> {
        let malformed = |error: &dyn std::error::Error| format!("a part cannot be read: {error}");
        self.indices = Indices {
            types: std::mem::take(&mut self.indices.types),
            known_types: std::mem::take(&mut self.indices.known_types),
            functions: self.functions.len(),
            elements: self.elements.len(),
            data: self.data.len(),
            ..Indices::default()
        };
        for payload in Parser::new(0).parse_all(module) {
            let done = match payload.map_err(|error| malformed(&error))? {
                Payload::TypeSection(types) => types
                    .into_iter_err_on_gc_types()
                    .collect::<Result<_, _>>()
                    .map(|types| self.indices.own_types = types)
                    .map_err(Error::from),
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let import = import.map_err(|error| malformed(&error))?;
                        self.import(import.module, import.name, import.ty)?;
                    }
                    Ok(())
                }
                Payload::FunctionSection(functions) => {
                    self.indices.parse_function_section(&mut self.functions, functions)
                }
                Payload::ElementSection(elements) => {
                    self.indices.parse_element_section(&mut self.elements, elements)
                }
                Payload::CodeSectionEntry(body) => {
                    self.indices.parse_function_body(&mut self.code, body)
                }
                Payload::DataSection(data) => self.indices.parse_data_section(&mut self.data, data),
                Payload::ExportSection(exports) if exports.count() == 0 => Ok(()),
                Payload::Version { .. }
                | Payload::DataCountSection { .. }
                | Payload::CodeSectionStart { .. }
                | Payload::CustomSection(_)
                | Payload::End(_) => Ok(()),
                other => return Err(format!("a part has an unexpected section: {other:?}")),
            };
            done.map_err(|error| malformed(&error))?;
        }
        Ok(())
    }

    /// Imports of the main module's one memory, one table and of its globals; functions are called
    /// through the table.
    fn import(&mut self, module: &str, name: &str, ty: TypeRef) -> Result<(), String> {
        let unexpected = || format!("a part has an unexpected import: {module} {name}");
        let kind = match ty {
            TypeRef::Table(_) => &mut self.tables,
            TypeRef::Memory(_) => &mut self.memories,
            TypeRef::Global(_) => &mut self.globals,
            _ => return Err(unexpected()),
        };
        let place = kind.iter().position(|known| known == name).unwrap_or(kind.len());
        if place == kind.len() {
            kind.push(name.to_owned());
            let ty = self.indices.entity_type(ty).map_err(|error| error.to_string())?;
            self.imports.import(module, name, ty);
        }
        match ty {
            TypeRef::Global(_) => self.indices.globals.push(place as u32),
            _ if place > 0 => return Err(unexpected()),
            _ => {}
        }
        Ok(())
    }

    fn finish(self) -> Vec<u8> {
        let mut module = Module::new();
        module
            .section(&self.indices.types)
            .section(&self.imports)
            .section(&self.functions)
            .section(&self.elements)
            .section(&DataCountSection { count: self.data.len() })
            .section(&self.code)
            .section(&self.data);
        module.finish()
    }
}

/// The indices of one of the modules, in the joined module.
#[derive(Default)]
struct Indices {
    types: TypeSection,
    known_types: HashMap<FuncType, u32>,
    own_types: Vec<FuncType>,
    globals: Vec<u32>,
    /// Numbers of functions, elements and data segments before those of this module.
    functions: u32,
    elements: u32,
    data: u32,
}

impl Reencode for Indices {
    type Error = Infallible;

    fn type_index(&mut self, index: u32) -> Result<u32, Error<Infallible>> {
        let ty = self.own_types[index as usize].clone();
        if let Some(known) = self.known_types.get(&ty) {
            return Ok(*known);
        }
        let new = self.types.len();
        let encoded = self.func_type(ty.clone())?;
        self.types.ty().func_type(&encoded);
        self.known_types.insert(ty, new);
        Ok(new)
    }

    fn global_index(&mut self, index: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.globals[index as usize])
    }

    fn function_index(&mut self, index: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.functions + index)
    }

    fn element_index(&mut self, index: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.elements + index)
    }

    fn data_index(&mut self, index: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.data + index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        ConstExpr, Elements, EntityType, Function, GlobalType, MemoryType, RefType, TableType,
        ValType,
    };
    use wasmparser::{Operator, Validator};

    /// A part with this table, whose functions call each other by the table and directly.
    fn part(place: i32, result: ValType, table: &str) -> Vec<u8> {
        let mut module = Module::new();
        let mut types = TypeSection::new();
        types.ty().function([ValType::F32], []);
        types.ty().function([], [result]);
        let mut imports = ImportSection::new();
        let any = TableType {
            element_type: RefType::FUNCREF,
            table64: false,
            minimum: 0,
            maximum: None,
            shared: false,
        };
        let memory = MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        };
        let stack = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
        imports.import("main", table, EntityType::Table(any));
        imports.import("main", "memory", EntityType::Memory(memory));
        imports.import("main", "stack", EntityType::Global(stack));
        let mut functions = FunctionSection::new();
        functions.function(1).function(1);
        let mut elements = ElementSection::new();
        elements.active(
            None,
            &ConstExpr::i32_const(place),
            Elements::Functions([1].as_slice().into()),
        );
        let mut code = CodeSection::new();
        let mut indirect = Function::new([]);
        indirect.instructions().global_get(0).call_indirect(0, 1).end();
        let mut direct = Function::new([]);
        direct.instructions().call(0).end();
        code.function(&indirect).function(&direct);
        let mut data = DataSection::new();
        data.active(0, &ConstExpr::i32_const(place), [7]);
        module.section(&types).section(&imports).section(&functions).section(&elements);
        module.section(&code).section(&data);
        module.finish()
    }

    #[test]
    fn parts_keep_their_own_functions_and_data() {
        let parts = [part(1, ValType::I32, "table"), part(2, ValType::F64, "table")];
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        let joined = joined(&parts).unwrap();
        Validator::new().validate_all(&joined).unwrap();
        let (mut types, mut calls, mut starts, mut imports) = (0, Vec::new(), 0, 0);
        for payload in Parser::new(0).parse_all(&joined) {
            match payload.unwrap() {
                Payload::TypeSection(all) => types = all.count(),
                Payload::ImportSection(all) => imports = all.into_imports().count(),
                Payload::DataSection(all) => starts = all.count(),
                Payload::CodeSectionEntry(body) => {
                    for operator in body.get_operators_reader().unwrap() {
                        if let Operator::Call { function_index } = operator.unwrap() {
                            calls.push(function_index);
                        }
                    }
                }
                _ => {}
            }
        }
        assert_eq!((types, imports, starts), (2, 3, 2), "one unused type is left out");
        assert_eq!(calls, [0, 2]);
    }

    #[test]
    fn unexpected_modules_are_refused() {
        let parts = [part(1, ValType::I32, "table"), part(2, ValType::I32, "another")];
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        assert!(joined(&parts).unwrap_err().contains("main another"));
        assert!(joined(&[&parts[0][..40]]).unwrap_err().contains("cannot be read"));
        let mut with_start = parts[0].to_vec();
        with_start.extend([8, 1, 0]);
        assert!(joined(&[&with_start]).is_err());
    }
}
