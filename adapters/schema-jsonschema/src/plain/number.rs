//! Numbers, compared by their value.

use std::cmp::Ordering;

use serde_json::Number;

/// Whether the number is an integer; 1.0 is.
pub(super) fn is_whole(number: &Number) -> bool {
    number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

/// How two numbers compare, without rounding either.
pub(super) fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        (Some(a), None) => mixed(a, b.as_f64()?),
        (None, Some(b)) => mixed(b, a.as_f64()?).map(Ordering::reverse),
        (None, None) => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

fn integer(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// An integer of at most 64 bits against a number with a fraction or an exponent.
fn mixed(integer: i128, float: f64) -> Option<Ordering> {
    // 2^65, beyond all integers here.
    const BEYOND: f64 = 36_893_488_147_419_103_232.0;
    if float >= BEYOND {
        return Some(Ordering::Less);
    }
    if float <= -BEYOND {
        return Some(Ordering::Greater);
    }
    if float.is_nan() {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "its size was looked at, and its fraction is looked at next"
    )]
    let whole = float.trunc() as i128;
    Some(integer.cmp(&whole).then(0.0_f64.partial_cmp(&float.fract())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn numbers_compare_without_rounding() {
        for (a, b, order) in [
            ("1", "1.0", Ordering::Equal),
            ("1", "1.5", Ordering::Less),
            ("-1", "-1.5", Ordering::Greater),
            ("9007199254740993", "9007199254740992.0", Ordering::Greater),
            ("18446744073709551615", "18446744073709551616.0", Ordering::Less),
            ("-9223372036854775808", "1e300", Ordering::Less),
            ("0", "-1e300", Ordering::Greater),
            ("0", "-0.0", Ordering::Equal),
            ("0.1", "0.2", Ordering::Less),
            ("18446744073709551615", "-1", Ordering::Greater),
        ] {
            assert_eq!(compare(&number(a), &number(b)), Some(order), "{a} {b}");
            assert_eq!(compare(&number(b), &number(a)), Some(order.reverse()), "{b} {a}");
        }
    }

    #[test]
    fn a_number_without_fraction_is_whole() {
        for (text, whole) in [("1", true), ("1.0", true), ("1e300", true), ("1.5", false), ("-0.0", true)] {
            assert_eq!(is_whole(&number(text)), whole, "{text}");
        }
    }
}
