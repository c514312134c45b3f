//! The table of the laws.

use std::sync::Arc;

use pm_mcp_ports::driven::Entropy;

use crate::run;

use super::laws::every_byte_is_filled;

/// Makes one test a law, each with the given source of randomness.
#[macro_export]
macro_rules! entropy_contract {
    ($entropy:expr) => {
        $crate::__entropy_laws!(tests $entropy);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __entropy_laws {
    ($what:ident $($with:tt)+) => {
        $crate::__laws! { $what entropy $($with)+;
            en_01_every_byte_is_filled "EN-01"
                "Ok means that every byte was filled, and no two fills are alike" every_byte_is_filled;
        }
    };
}

__entropy_laws!(slice Arc<dyn Entropy>);

/// Tries the law whose test has this name; what [`entropy_contract!`](crate::entropy_contract) calls.
///
/// # Panics
///
/// When the law does not hold.
pub fn hold(entropy: impl Entropy, name: &str) {
    run::hold(LAWS, name, async { Ok(Arc::new(entropy) as Arc<dyn Entropy>) });
}
