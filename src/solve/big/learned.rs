//! What the guides have learned. It lies in `tables/learned`, the weights of each guide as one compressed file, and is part of a PC's
//! program. `cranecuber tables learn` makes these files; `manifest.toml` beside them tells what was learned from, and how well.

use std::io::Read;

use flate2::read::GzDecoder;

use crate::sure::surely;
use crate::tables::Spec;

/// The files, by the names of the tables.
const FILES: [(&str, &[u8]); 14] = {
    macro_rules! files {
        ($($name:literal)*) => {
            [$(($name, include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/tables/learned/", $name, ".weights.gz")))),*]
        };
    }
    files!(
        "6x6x6-1-guide" "6x6x6-2-guide" "6x6x6-3-guide"
        "7x7x7-1-guide" "7x7x7-2-guide" "7x7x7-3-guide"
        "8x8x8-1-guide" "8x8x8-2-guide" "8x8x8-3-guide"
        "9x9x9-1-guide" "9x9x9-2-guide" "9x9x9-3-guide"
        "10x10x10-1-guide" "10x10x10-2-guide"
    )
};

/// What the guide whose table this is has learned: its weights, in [`UNITS`](crate::search::UNITS), and its net if it has one.
pub(super) fn numbers(spec: &Spec) -> Vec<u8> {
    let (_, file) = surely(FILES.iter().find(|(name, _)| *name == spec.name));
    surely(unpacked(file, spec.entries).ok())
}

/// So many bytes from a file, whose checksum is compared.
pub(super) fn unpacked(file: &[u8], entries: u64) -> std::io::Result<Vec<u8>> {
    let mut weights = Vec::with_capacity(entries as usize);
    GzDecoder::new(file).take(entries + 1).read_to_end(&mut weights)?;
    match weights.len() as u64 == entries {
        true => Ok(weights),
        false => Err(std::io::Error::other("it does not have as many numbers as the guide")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::big::Guide;
    use crate::tables::Recipe;

    #[test]
    fn every_guide_has_learned_as_many_weights_as_it_has_and_not_nothing() {
        let all = Guide::all();
        assert_eq!(all.len(), FILES.len());
        for guide in all {
            let numbers = numbers(&guide.spec());
            assert!(numbers.iter().any(|&number| number != numbers[0]), "{guide:?}");
        }
    }

    #[test]
    fn the_manifest_names_every_guide_and_the_revision_that_its_weights_are_for() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tables/learned/manifest.toml");
        let manifest = std::fs::read_to_string(path).unwrap();
        for guide in Guide::all() {
            let Spec { name, revision, .. } = guide.spec();
            let entry = format!("name = \"{name}\"\nrevision = {revision}\n");
            assert!(manifest.contains(&entry), "{entry}");
        }
    }

    #[test]
    fn a_changed_or_cut_file_is_noticed() {
        let (_, file) = FILES[0];
        let entries = Guide::all()[0].spec().entries;
        assert!(unpacked(file, entries).is_ok());
        assert!(unpacked(file, entries - 1).is_err() && unpacked(file, entries + 1).is_err());
        assert!(unpacked(&file[..file.len() - 1], entries).is_err());
        let mut changed = file.to_vec();
        let at = changed.len() - 6;
        changed[at] ^= 1;
        assert!(unpacked(&changed, entries).is_err());
    }
}
