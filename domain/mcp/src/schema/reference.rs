//! References of a schema and the subschemas they lead to.

use alloc::{
    borrow::Cow,
    collections::{BTreeMap, btree_map::Entry},
    string::String,
    vec::Vec,
};
use core::ptr;

use serde_json::Value;

use super::{excerpt, fault::SchemaFault, outline::Outline};

/// For each reference in the schema: the subschema that holds it and the one it leads to, ordered
/// by holder.
pub(super) fn resolve(outline: &Outline<'_>) -> Result<Vec<(usize, usize)>, SchemaFault> {
    let targets = Targets::of(outline)?;
    let mut found = Vec::new();
    for (holder, subschema) in outline.subschemas().iter().enumerate() {
        for keyword in ["$ref", "$dynamicRef"] {
            if let Some(reference) = subschema.value.get(keyword).and_then(Value::as_str) {
                let target = targets.find(reference).map_err(|miss| {
                    let reference = excerpt(reference);
                    let pointer = excerpt(&outline.pointer(holder));
                    match miss {
                        Miss::Dangling => SchemaFault::DanglingReference { reference, pointer },
                        Miss::NotASubschema => SchemaFault::NotASubschema { reference, pointer },
                        Miss::External => SchemaFault::ExternalReference { reference, pointer },
                    }
                })?;
                found.push((holder, target));
            }
        }
    }
    Ok(found)
}

enum Miss {
    Dangling,
    NotASubschema,
    External,
}

/// What references may lead to.
struct Targets<'a> {
    root: &'a Value,
    identifier: Option<&'a str>,
    anchors: BTreeMap<&'a str, usize>,
    /// Values are told apart by their address: two subschemas may be equal.
    places: BTreeMap<*const Value, usize>,
}

impl<'a> Targets<'a> {
    fn of(outline: &Outline<'a>) -> Result<Self, SchemaFault> {
        let root = outline.subschemas().first().map_or(&Value::Null, |first| first.value);
        let identifier = root.get("$id").and_then(Value::as_str);
        let mut targets = Self {
            root,
            identifier: identifier.map(|id| id.strip_suffix('#').unwrap_or(id)),
            anchors: BTreeMap::new(),
            places: BTreeMap::new(),
        };
        for (index, subschema) in outline.subschemas().iter().enumerate() {
            targets.places.insert(ptr::from_ref(subschema.value), index);
            for keyword in ["$anchor", "$dynamicAnchor"] {
                let Some(anchor) = subschema.value.get(keyword).and_then(Value::as_str) else {
                    continue;
                };
                match targets.anchors.entry(anchor) {
                    Entry::Vacant(place) => {
                        place.insert(index);
                    }
                    // One subschema may carry the same name as both kinds of anchor.
                    Entry::Occupied(place) if *place.get() == index => {}
                    Entry::Occupied(_) => {
                        return Err(SchemaFault::DuplicateAnchor {
                            anchor: excerpt(anchor),
                            pointer: excerpt(&outline.pointer(index)),
                        });
                    }
                }
            }
        }
        Ok(targets)
    }

    fn find(&self, reference: &str) -> Result<usize, Miss> {
        let fragment = self.local_fragment(reference).ok_or(Miss::External)?;
        let fragment = percent_decode(fragment).ok_or(Miss::Dangling)?;
        if !fragment.is_empty() && !fragment.starts_with('/') {
            return self.anchors.get(fragment.as_ref()).copied().ok_or(Miss::Dangling);
        }
        let value = self.root.pointer(&fragment).ok_or(Miss::Dangling)?;
        self.places.get(&ptr::from_ref(value)).copied().ok_or(Miss::NotASubschema)
    }

    /// The fragment, if the reference stays within this document: it is nothing but a fragment,
    /// or repeats the document's own identifier before it.
    fn local_fragment<'r>(&self, reference: &'r str) -> Option<&'r str> {
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        (document.is_empty() || Some(document) == self.identifier).then_some(fragment)
    }
}

/// Decodes `%XX` (RFC 3986 section 2.1), as the fragment form of a JSON Pointer needs.
fn percent_decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = char::from(rest.next()?).to_digit(16)?;
            let low = char::from(rest.next()?).to_digit(16)?;
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}
