use super::*;
use crate::{crane, jaws, tilter};

fn shipped() -> [Model; 3] {
    [crane::BUILTIN, tilter::BUILTIN, jaws::BUILTIN].map(|text| Model::parse(text, "shipped").unwrap())
}

#[test]
fn every_cable_is_drawn_with_its_port_and_no_text_covers_another_or_leaves_the_sheet() {
    for model in shipped() {
        let sheet = sheet(&model);
        let (width, taken) = (sheet.width(), sheet.taken.clone());
        let text = sheet.end(BEGIN);
        assert!(text.starts_with(BEGIN) && text.ends_with("</svg>\n"));
        for cable in model.cables() {
            assert!(text.contains(&format!(">{}<", capital(cable.part))), "{}", cable.part);
            assert!(text.contains(&format!(">{}", cable.socket)), "{}", cable.socket);
        }
        for (i, ((l, t, r, b), one)) in taken.iter().enumerate() {
            assert!(*l >= 0.0 && *r <= width && *t >= 0.0, "{one} leaves the sheet");
            for ((ol, ot, or, ob), other) in &taken[..i] {
                assert!(l >= or || ol >= r || t >= ob || ot >= b, "{one} covers {other}");
            }
        }
    }
}

#[test]
fn a_changed_calibration_gives_another_drawing_and_the_same_one_the_same() {
    let draw = |text: &str| drawing(&Model::parse(text, "changed").unwrap());
    assert_eq!(draw(crane::BUILTIN), draw(crane::BUILTIN));
    for (from, to) in [
        ("port = \"A\"", "port = \"Z\""),
        ("quarter = 420", "quarter = -420"),
        ("away = -140", "away = -150"),
    ] {
        assert_ne!(
            draw(crane::BUILTIN),
            draw(&crane::BUILTIN.replacen(from, to, 1)),
            "{from}"
        );
    }
}

#[test]
fn a_name_cannot_break_the_drawing() {
    let text = crane::BUILTIN.replacen("CraneCuber 42009", "<b>&", 1);
    let drawn = drawing(&Model::parse(&text, "named").unwrap());
    assert!(drawn.contains("&lt;b&gt;&amp;: which cable") && !drawn.contains("<b>"));
}
