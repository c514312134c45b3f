//! What it means that a law catches a wrong adapter.

use pm_mcp_contract::Law;

/// Tries the law of this name on an adapter that breaks it.
pub(crate) async fn catches<S>(laws: &[Law<S>], name: &str, subject: S) {
    let law = laws.iter().find(|law| law.name == name).expect("the law is listed");
    assert_eq!((law.skipped)(&subject), None, "{name} skips the wrong adapter");
    let outcome = (law.check)(subject).await;
    assert!(outcome.is_err(), "{name} ({}) does not catch it", law.claim);
}

/// One test a wrong adapter, and one that no law is without. `$subject` makes the subject from what is wrong.
macro_rules! mutants {
    ($laws:expr, $subject:expr; $($law:ident $test:ident $fault:expr;)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $test() {
                $crate::caught::catches($laws, stringify!($law), $subject($fault).await).await;
            }
        )*

        #[test]
        fn every_law_has_a_wrong_adapter() {
            let broken = [$(stringify!($law)),*];
            for law in $laws {
                assert!(broken.contains(&law.name), "nothing breaks {}", law.name);
            }
        }
    };
}

pub(crate) use mutants;
