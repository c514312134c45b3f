//! Writing a response piece by piece.

use serde::ser::{Serialize, SerializeMap};

/// Takes JSON as text that is known beforehand and as values.
///
/// Most of a response is the same each time, so it is copied as it stands; only what differs is serialised.
pub trait JsonSink {
    /// Why a value cannot be written.
    type Error: serde::ser::Error;

    /// Takes a piece of JSON text, which need not be a whole value.
    fn text(&mut self, json: &str);

    /// Takes a value.
    ///
    /// # Errors
    ///
    /// When it cannot be written as JSON.
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Self::Error>;
}

/// The members that follow others in an object that has been begun.
pub(super) struct Members<'s, S>(pub(super) &'s mut S);

impl<S: JsonSink> SerializeMap for Members<'_, S> {
    type Ok = ();
    type Error = S::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), S::Error> {
        self.0.text(",");
        self.0.value(key)?;
        self.0.text(":");
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
        self.0.value(value)
    }

    fn end(self) -> Result<(), S::Error> {
        self.0.text("}");
        Ok(())
    }
}
