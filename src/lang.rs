//! The texts of the display and of the page in the languages of a class. The English ones are in the source; `lang/` has a file for each
//! other language, in which every text stands behind the English one.
//!
//! Knows no other layer, and not what is shown where.
//!
//! ```
//! use cranecuber::lang::Language;
//!
//! let words = Language::of("de_CH.UTF-8").words();
//! assert_eq!(words.of("Turning"), "Dreht");
//! // Numbers are put in their places.
//! assert_eq!(words.of("Battery low: 6.9 V"), "Akku schwach: 6,9 V");
//! // Names behind a colon stay.
//! assert_eq!(words.of("Motors: B C"), "Motoren: B C");
//! // What has no other words stays English.
//! assert_eq!(words.of("R U2"), "R U2");
//! ```

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// What stands for a number.
const NUMBER: &str = "{}";
/// The section of the page.
const PAGE: &str = "page";

/// A language. The display speaks those whose letters its font has: all but Chinese, for which it stays English.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Deutsch.
    German,
    /// Español.
    Spanish,
    /// Français.
    French,
    /// Chinese, on the page only.
    Chinese,
}

impl Language {
    /// All.
    pub const ALL: [Language; 5] = [
        Language::English,
        Language::German,
        Language::Spanish,
        Language::French,
        Language::Chinese,
    ];

    /// Its letters in locales.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
            Language::Spanish => "es",
            Language::French => "fr",
            Language::Chinese => "zh",
        }
    }

    /// What its speakers call it.
    pub fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::German => "Deutsch",
            Language::Spanish => "Español",
            Language::French => "Français",
            Language::Chinese => "中文",
        }
    }

    /// Whether the display has its letters.
    pub fn is_on_display(self) -> bool {
        self != Language::Chinese
    }

    fn file(self) -> &'static str {
        match self {
            Language::English => "",
            Language::German => include_str!("../lang/de.toml"),
            Language::Spanish => include_str!("../lang/es.toml"),
            Language::French => include_str!("../lang/fr.toml"),
            Language::Chinese => include_str!("../lang/zh.toml"),
        }
    }

    /// The language with these letters, if there is one.
    pub fn named(code: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.code() == code)
    }

    /// The language of a locale, as the variable LANG has it; English for all others.
    pub fn of(locale: &str) -> Language {
        let code = locale.trim().split(['_', '.', '-', '@']).next().unwrap_or_default();
        Language::named(&code.to_lowercase()).unwrap_or_default()
    }

    /// The language that a browser's list wants most, by the weights in it, the first one of equals; English if there is none of them.
    pub fn accepted(list: &str) -> Language {
        let wanted = list.split(',').filter_map(|one| {
            let mut parts = one.split(';').map(str::trim);
            let code = parts.next()?.split('-').next()?.to_lowercase();
            let weight = parts.find_map(|part| part.strip_prefix(['q', 'Q'])?.strip_prefix('='));
            // A weight that is no number is none at all, and a weight of 0 says that it is not wanted.
            let weight: f32 = weight.unwrap_or("1").parse().ok()?;
            Some((Language::named(&code)?, weight)).filter(|_| weight > 0.0)
        });
        let most = wanted.reduce(|most, one| if one.1 > most.1 { one } else { most });
        most.map_or(Language::English, |(language, _)| language)
    }

    fn sections(self) -> HashMap<String, HashMap<String, String>> {
        // A test reads all files.
        toml::from_str(self.file()).unwrap_or_else(|why| {
            log::error!("lang/{}.toml: {why}", self.code());
            HashMap::new()
        })
    }

    /// The page's texts, by the English ones.
    pub fn page(self) -> HashMap<String, String> {
        self.sections().remove(PAGE).unwrap_or_default()
    }

    /// The display's texts.
    pub fn words(self) -> Words {
        let mut sections = self.sections();
        sections.remove(PAGE);
        Words {
            language: self,
            texts: Arc::new(sections.into_values().flatten().collect()),
        }
    }
}

/// The texts of a language, by the English ones.
#[derive(Debug, Clone, Default)]
pub struct Words {
    language: Language,
    texts: Arc<HashMap<String, String>>,
}

impl Words {
    /// Whose they are.
    pub fn language(&self) -> Language {
        self.language
    }

    /// What a text is called; the text itself if it has no other words. Numbers in it go to the places that are kept for them, and names
    /// behind its last colon stay as they are.
    pub fn of<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.texts.is_empty() {
            return Cow::Borrowed(text);
        }
        let before = |(words, names)| Some(format!("{}: {names}", self.whole(words)?));
        let said = self.whole(text).or_else(|| text.rsplit_once(": ").and_then(before));
        said.map_or(Cow::Borrowed(text), Cow::Owned)
    }

    fn whole(&self, text: &str) -> Option<String> {
        let (pattern, numbers) = without_numbers(text);
        let found = self.texts.get(&pattern)?;
        let mut parts = found.split(NUMBER);
        let mut said = parts.next().unwrap_or_default().to_string();
        for (number, part) in numbers.iter().zip(parts) {
            said.push_str(number);
            said.push_str(part);
        }
        Some(said)
    }
}

/// A text with a mark in the place of each number, and the numbers.
fn without_numbers(text: &str) -> (String, Vec<&str>) {
    let (mut pattern, mut numbers) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        pattern.push_str(&rest[..at]);
        pattern.push_str(NUMBER);
        let after = rest[at..]
            .find(|c: char| !c.is_ascii_digit())
            .map_or(rest.len(), |long| at + long);
        numbers.push(&rest[at..after]);
        rest = &rest[after..];
    }
    pattern.push_str(rest);
    (pattern, numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brick::{Page, broken};
    use std::collections::{BTreeMap, BTreeSet};

    type Sections = BTreeMap<String, BTreeMap<String, String>>;

    fn sections(language: Language) -> Sections {
        toml::from_str(language.file()).unwrap()
    }

    #[test]
    fn no_text_is_missing_in_any_language_and_places_of_numbers_agree() {
        let keys = |language| -> BTreeSet<(String, String)> {
            let all = sections(language).into_iter();
            all.flat_map(|(section, texts)| texts.into_keys().map(move |key| (section.clone(), key)))
                .collect()
        };
        let german = keys(Language::German);
        assert!(german.len() > 60, "{}", german.len());
        for language in [Language::Spanish, Language::French] {
            assert_eq!(keys(language), german, "{language:?}");
        }
        let page: BTreeSet<_> = german.iter().filter(|(section, _)| section == PAGE).cloned().collect();
        assert!(page.len() > 90, "{}", page.len());
        assert_eq!(keys(Language::Chinese), page);
        for language in Language::ALL {
            for (english, text) in sections(language).values().flatten() {
                let numbers = |text: &str| text.matches(NUMBER).count();
                assert_eq!(numbers(english), numbers(text), "{text}");
                assert!(
                    !text.trim().is_empty() && !text.contains(|c: char| c.is_ascii_digit()),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn every_text_is_still_in_the_source() {
        // In pieces between numbers and names of jaws, which are put together.
        let mut source = String::new();
        let mut folders = vec![
            "src/app".into(),
            "src/cli".into(),
            std::path::PathBuf::from("src/serve/page"),
        ];
        while let Some(folder) = folders.pop() {
            for entry in folder.read_dir().unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if !path.ends_with("tests.rs") {
                    for line in std::fs::read_to_string(path).unwrap().lines() {
                        source += &(line.trim_start().to_string() + "\n");
                    }
                }
            }
        }
        // A text may go on in the next line.
        let source = source.replace("\\\n", "");
        for text in sections(Language::German).values().flat_map(BTreeMap::keys) {
            let mut pieces = text.split(NUMBER).flat_map(|text| {
                text.split(" left ")
                    .flat_map(|text| text.split(" right "))
                    .flat_map(|text| text.split(" centre "))
            });
            assert!(pieces.all(|piece| source.contains(piece.trim())), "{text}");
        }
    }

    /// The texts in quotes of a source, without its tests and comments, with a mark in each place that something is put into, but for the
    /// names of jaws.
    fn quoted(source: &str) -> Vec<String> {
        let code = source.split("#[cfg(test)]").next().unwrap();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code = lines
            .map(|line| line.trim_start().trim_end_matches('\\'))
            .collect::<Vec<_>>()
            .join("\n");
        let (mut all, mut letters) = (Vec::new(), code.chars());
        while let Some(end) = letters.find(|c| "\"`".contains(*c)) {
            let (mut text, mut hole) = (String::new(), String::new());
            while let Some(c) = letters.next().filter(|&c| c != end || !hole.is_empty()) {
                match c {
                    '\\' => text.extend(letters.next()),
                    '{' => hole.push(c),
                    '}' if hole == "{jaw" => text.push_str(&(std::mem::take(&mut hole) + "}")),
                    '}' if hole.matches('{').count() == 1 + hole.matches('}').count() => {
                        hole.clear();
                        text = text.trim_end_matches('$').to_string() + NUMBER;
                    }
                    c if !hole.is_empty() => hole.push(c),
                    '\n' => {}
                    c => text.push(c),
                }
            }
            all.push(text);
        }
        all
    }

    /// Whether a text begins as one for people does.
    fn is_said(text: &str) -> bool {
        text.starts_with(|c: char| c.is_ascii_uppercase())
            && text[1..].starts_with(|c: char| c.is_ascii_lowercase() || c == ' ')
    }

    #[test]
    fn every_text_of_the_display_has_other_words() {
        let mut texts = Vec::new();
        let read = |path: &str| std::fs::read_to_string(path).unwrap();
        for name in [
            "menu",
            "menu/language",
            "calibrated",
            "panel/mod",
            "panel/draw",
            "calibrate/on_display",
        ] {
            texts.extend(quoted(&read(&format!("src/app/{name}.rs"))));
        }
        for name in ["motors", "white", "crane"] {
            texts.extend(quoted(&read(&format!("src/app/calibrate/{name}.rs"))));
        }
        for file in std::path::Path::new("src/cli").read_dir().unwrap() {
            let path = file.unwrap().path();
            let source = path.to_str().filter(|_| path.is_file()).map(read).unwrap_or_default();
            for shown in source.split("panel").filter(|text| text.starts_with('.')) {
                texts.extend(quoted(shown.split(';').next().unwrap()));
            }
        }
        texts.retain(|text| is_said(text) && text != "CraneCuber");
        assert!(texts.len() > 70, "{texts:?}");
        let languages = [Language::German, Language::Spanish, Language::French].map(Language::words);
        for text in texts {
            for jaw in ["left", "right", "centre"] {
                let text = text.replace("{jaw}", jaw).replace(NUMBER, "8");
                assert!(languages.iter().any(|say| say.of(&text) != text), "{text}");
            }
        }
    }

    #[test]
    fn every_text_of_the_page_has_other_words() {
        /// As a whole, or in pieces.
        fn is_known(text: &str, known: &dyn Fn(&str) -> bool) -> bool {
            let names = text.replace(NUMBER, "");
            let mut ends = text
                .char_indices()
                .filter(|&(_, c)| ":;,.".contains(c))
                .map(|(at, _)| at);
            !names.contains(char::is_alphabetic)
                || [text, text.trim_end_matches('.')].into_iter().any(known)
                || ends.any(|at| known(&text[..at]) && is_known(text[at + 1..].trim(), known))
        }
        let page = Language::German.page();
        let known = |text: &str| page.contains_key(text);
        let mut texts = Vec::new();
        for file in std::path::Path::new("src/serve/page").read_dir().unwrap() {
            let path = file.unwrap().path();
            let source = std::fs::read_to_string(&path).unwrap();
            if path.extension().is_some_and(|name| name == "js") {
                texts.extend(quoted(&source).into_iter().filter(|text| is_said(text)));
            } else if path.extension().is_some_and(|name| name == "html") {
                let tags = source.split('<').filter_map(|tag| tag.split_once('>'));
                for (tag, text) in tags.filter(|(tag, _)| !["kbd", "title", "h1"].contains(tag)) {
                    texts.push(text.to_string());
                    for name in ["aria-label=\"", "alt=\""] {
                        texts.extend(
                            tag.split_once(name)
                                .map(|(_, text)| text.split('"').next().unwrap().to_string()),
                        );
                    }
                }
            }
        }
        assert!(texts.len() > 150, "{}", texts.len());
        for text in texts {
            let (pattern, _) = without_numbers(text.trim());
            // What the program reads, and a number that has its point only when it is written.
            let is_other =
                ["Content-Type", "AbortError", "Backspace", "Enter", "Battery {} V{}"].contains(&text.as_str());
            let face = pattern
                .strip_suffix(|c| "URFDLB".contains(c))
                .and_then(|text| text.strip_suffix(": "));
            assert!(is_other || is_known(face.unwrap_or(&pattern), &known), "{text}");
        }
    }

    #[test]
    fn each_text_fits_its_place_on_the_display() {
        let widest = |text: &str| text.replace(NUMBER, "88").chars().count();
        for language in Language::ALL {
            for (section, texts) in sections(language) {
                // Large letters, a line, beside the cube.
                let room = match section.as_str() {
                    "titles" => 14,
                    "lines" => 29,
                    "beside" => 9,
                    "choices" => 10,
                    "texts" | PAGE => continue,
                    other => panic!("{other}"),
                };
                for text in texts.iter().flat_map(|(english, text)| [english, text]) {
                    assert!(widest(text) <= room, "{language:?}, {room} letters: {text}");
                }
            }
        }
    }

    #[test]
    fn what_can_be_chosen_fits_side_by_side_and_questions_above_it() {
        for language in Language::ALL {
            let say = language.words();
            for choices in [
                &["Try again", "Menu", "Go on"][..],
                &["Yes", "No", "Stop"],
                &["Go on", "Stop"],
            ] {
                // Twelve pixels around each, but for the gap after the last.
                let width = |choice: &&str| say.of(choice).chars().count() * Page::LETTER + 12;
                let pixels = choices.iter().map(width).sum::<usize>() - 8;
                assert!(pixels <= Page::WIDTH, "{language:?} {choices:?}: {pixels}");
            }
            let texts = sections(language).remove("texts").unwrap_or_default();
            for text in texts.iter().flat_map(|(english, text)| [english, text]) {
                let lines = broken(&text.replace(NUMBER, "88"), Page::WIDTH / Page::LETTER).len();
                assert!(lines <= 8, "{language:?}, {lines} lines: {text}");
            }
            // The font has the letters of ISO 8859-1.
            let shown = sections(language).into_iter().filter(|(section, _)| section != PAGE);
            let all = shown.flat_map(|(_, texts)| texts.into_values());
            let strange: String = all
                .flat_map(|text| text.chars().collect::<Vec<_>>())
                .filter(|&c| c > '\u{ff}')
                .collect();
            assert_eq!(strange, "", "{language:?}");
        }
    }

    #[test]
    fn a_panel_speaks_its_language() {
        let mut brick_and_world = crate::sim::machine(
            &crate::crane::Mechanism::builtin(),
            crate::cube::State::solved(3),
            Box::new(crate::sim::Renderer::new(crate::sim::Scene::calm(), 1)),
        )
        .unwrap();
        let mut panel = crate::app::Panel::of(&mut brick_and_world.0);
        panel.speak(Language::German);
        panel.words("Stopped", "out of paint", &["Try again", "Menu"], 1);
        let page = brick_and_world.1.page();
        assert!(
            page.find("Angehalten", 2).is_some() && page.find("Men\u{fc}", 1).is_some(),
            "{page:?}"
        );
        assert!(
            page.find("out of paint", 1).is_some() && page.find("Nochmal", 1).is_some(),
            "{page:?}"
        );
        panel.speak(Language::French);
        panel.list("Which cube?", &["Quit".to_string()], 0, "Battery 7.9 V");
        let page = brick_and_world.1.page();
        assert!(
            page.find("Quel cube ?", 2).is_some() && page.find("Batterie 7,9 V", 1).is_some(),
            "{page:?}"
        );
    }

    #[test]
    fn locales_are_understood() {
        for (locale, language) in [
            ("de_DE.UTF-8", Language::German),
            ("es", Language::Spanish),
            ("fr-CA", Language::French),
            ("FR", Language::French),
            ("C.UTF-8", Language::English),
            ("zh_CN", Language::Chinese),
            ("pt_BR", Language::English),
            ("", Language::English),
            // Of a file that was written elsewhere.
            (" fr\r\n", Language::French),
        ] {
            assert_eq!(Language::of(locale), language, "{locale}");
        }
        for (list, language) in [
            ("de-CH,de;q=0.9,en;q=0.8", Language::German),
            ("pt-BR, zh-CN;q=0.7, en;q=0.5", Language::Chinese),
            ("pt-BR, zh-CN;q=0.7, en", Language::English),
            ("en;q=0.1,de", Language::German),
            ("de;q=0", Language::English),
            ("de;q=0, fr;Q=0.001", Language::French),
            ("es;q=much, fr;q=0.2;x=1, de;q=nan", Language::French),
            ("es, fr;q=1.0", Language::Spanish),
            ("nl", Language::English),
            ("*", Language::English),
            (";;,-", Language::English),
        ] {
            assert_eq!(Language::accepted(list), language, "{list}");
        }
    }
}
