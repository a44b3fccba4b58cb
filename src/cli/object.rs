//! States within JSON, as `scan --json` and other programs print them.

use std::borrow::Cow;

use serde_json::Value;

use super::Failure;

/// The letters of the state that a text has as JSON, or else the text itself.
///
/// # Errors
/// If it is an object without a state, or one that says that it is not sure.
pub(super) fn state_of(text: &str) -> Result<Cow<'_, str>, Failure> {
    if !text.starts_with(['{', '"']) {
        return Ok(Cow::Borrowed(text));
    }
    match serde_json::from_str(text) {
        Ok(Value::String(state)) => Ok(Cow::Owned(state)),
        Ok(object) => of_object(&object).map(Cow::Owned),
        // Letters in quotes.
        Err(_) if text.starts_with('"') => Ok(Cow::Borrowed(text)),
        Err(why) => Err(Failure::Usage(format!(
            "this begins like JSON but is none ({why}): give one object with a \"state\", or the letters of a state alone"
        ))),
    }
}

fn of_object(object: &Value) -> Result<String, Failure> {
    let Some(Value::String(state)) = object.get("state") else {
        return Err(Failure::Usage(
            "this JSON has no \"state\" with the letters of a state: give what scan --json prints, or the letters alone"
                .to_string(),
        ));
    };
    if object.get("sure") == Some(&Value::Bool(false)) {
        return Err(Failure::Doubtful(format!(
            "it is not sure which cube this is{}: scan it again, or give the letters of the state alone",
            doubt(object)
        )));
    }
    Ok(state.clone())
}

/// What leaves a doubt, as far as the object says so.
fn doubt(object: &Value) -> String {
    let squares = object.get("doubtful").and_then(Value::as_array);
    let squares: Vec<&str> = squares.into_iter().flatten().filter_map(Value::as_str).collect();
    let perhaps = object.get("perhaps").and_then(Value::as_str);
    match perhaps {
        _ if !squares.is_empty() => crate::cube::shown(&format!(", doubtful are {}", squares.join(" "))),
        Some(perhaps) => crate::cube::shown(&format!(", perhaps {perhaps}")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_taken_out_of_json() {
        for (text, state) in [
            ("UUUU", "UUUU"),
            (r#"{"size":2,"state":"UUUU","sure":true}"#, "UUUU"),
            ("{\n \"state\": \"UUUU\"\n}", "UUUU"),
            (r#""UU\nUU""#, "UU\nUU"),
            (r#""UU","UU""#, r#""UU","UU""#),
        ] {
            assert_eq!(state_of(text).unwrap(), state, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_with_json_is_named() {
        let why = |text: &str| state_of(text).unwrap_err();
        let doubt = why(r#"{"state":"UUUU","sure":false,"doubtful":["F3","U1"]}"#);
        assert!(matches!(doubt, Failure::Doubtful(_)));
        assert!(doubt.to_string().contains("doubtful are F3 U1: scan"), "{doubt}");
        let doubt = why("{\"state\":\"UUUU\",\"sure\":false,\"perhaps\":\"U is F\\u001b\"}");
        assert!(doubt.to_string().contains("perhaps U is F\\u{1b}: scan"), "{doubt}");
        for text in [r#"{"solution":"R"}"#, r#"{"state":5}"#, "{}"] {
            assert!(
                why(text).to_string().starts_with("this JSON has no \"state\""),
                "{text}"
            );
        }
        let broken = why("{\"state\":\n").to_string();
        assert!(broken.contains("line 2 column 0") && !broken.contains('\n'), "{broken}");
    }
}
