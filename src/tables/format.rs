//! The header of a table file: written, read back and checked.

use std::path::Path;

use super::TableError;

const MAGIC: &[u8; 8] = b"CRANETAB";
/// Raised whenever the layout changes. A reader takes its own version only, because to rebuild a table costs less than to convert it.
const VERSION: u16 = 1;
/// Bytes before the payload: a multiple of every cache line.
pub(super) const HEADER_BYTES: usize = 512;
const NAME: std::ops::Range<usize> = 16..64;
const HISTOGRAM: usize = 88;
const MAX_DEPTHS: usize = (508 - HISTOGRAM) / 8;

/// How an entry is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// Two bits: the distance modulo 3.
    Mod3,
    /// Four bits: the distance, 15 for 15 or more.
    Nibble,
    /// Eight bits: bytes as the recipe gives them. They are something else than one distance for each entry.
    Byte,
}

impl Width {
    /// Bits of an entry.
    pub const fn bits(self) -> usize {
        match self {
            Width::Mod3 => 2,
            Width::Nibble => 4,
            Width::Byte => 8,
        }
    }
}

/// What a table is, before it exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// Its name, which is also its file's; at most 48 letters.
    pub name: &'static str,
    /// Raised whenever the meaning of an entry's number changes.
    pub revision: u32,
    /// How entries are stored.
    pub width: Width,
    /// Min-compression factor, 1 for none; more than 1 only with [`Width::Nibble`].
    pub compression: u8,
    /// Entries before compression.
    pub entries: u64,
}

impl Spec {
    /// Bytes of the packed entries.
    pub fn payload_bytes(&self) -> u64 {
        let stored = self.entries.div_ceil(self.compression as u64);
        (stored * self.width.bits() as u64).div_ceil(8)
    }

    /// Bytes of the file.
    pub fn file_bytes(&self) -> u64 {
        HEADER_BYTES as u64 + self.payload_bytes()
    }
}

/// What a file says of itself, besides its [`Spec`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// How many entries lie at distance 0, 1, 2, …: a checksum of the mathematics.
    pub histogram: Vec<u64>,
    pub(super) payload_crc: u32,
}

impl Header {
    /// Whether the histogram counts more at some distance than there can be: as many as there are entries, or, where entries are
    /// bytes of something else, as many as there are bits.
    pub(super) fn is_absurd(&self, spec: &Spec) -> bool {
        let most = match spec.width {
            Width::Byte => spec.entries.saturating_mul(8),
            _ => spec.entries,
        };
        self.histogram.iter().any(|&count| count > most)
    }

    pub(super) fn to_bytes(&self, spec: &Spec) -> [u8; HEADER_BYTES] {
        let mut b = [0; HEADER_BYTES];
        b[..8].copy_from_slice(MAGIC);
        b[8..10].copy_from_slice(&VERSION.to_le_bytes());
        b[10] = spec.width.bits() as u8;
        b[11] = spec.compression;
        b[12..16].copy_from_slice(&spec.revision.to_le_bytes());
        let name = &spec.name.as_bytes()[..spec.name.len().min(NAME.len())];
        b[NAME][..name.len()].copy_from_slice(name);
        b[64..72].copy_from_slice(&spec.entries.to_le_bytes());
        b[72..80].copy_from_slice(&spec.payload_bytes().to_le_bytes());
        b[80..84].copy_from_slice(&self.payload_crc.to_le_bytes());
        let depths = self.histogram.len().min(MAX_DEPTHS);
        b[84..88].copy_from_slice(&(depths as u32).to_le_bytes());
        for (i, count) in self.histogram.iter().take(depths).enumerate() {
            b[HISTOGRAM + 8 * i..][..8].copy_from_slice(&count.to_le_bytes());
        }
        let crc = crc32fast::hash(&b[..508]);
        b[508..].copy_from_slice(&crc.to_le_bytes());
        b
    }

    /// Reads the header from the beginning of a file of `length` bytes and checks everything but the payload.
    pub(super) fn read(file: &[u8], length: u64, spec: &Spec, path: &Path) -> Result<Header, TableError> {
        let path = || path.to_path_buf();
        let truncated = || TableError::Length {
            path: path(),
            expected: spec.file_bytes(),
            found: length,
        };
        if !file.starts_with(MAGIC) {
            return Err(if MAGIC.starts_with(file) {
                truncated()
            } else {
                TableError::Foreign { path: path() }
            });
        }
        let b: &[u8; HEADER_BYTES] = file.first_chunk().ok_or_else(truncated)?;
        let version = |found: String, expected: String| TableError::Version {
            path: path(),
            found,
            expected,
        };
        let found = u16::from_le_bytes([b[8], b[9]]);
        if found != VERSION {
            return Err(version(format!("format {found}"), format!("format {VERSION}")));
        }
        if crc32fast::hash(&b[..508]) != word(b, 508) {
            return Err(TableError::Damaged {
                path: path(),
                part: "header",
            });
        }
        let entries = long(b, 64);
        let describe = |name: &str, revision, bits, compression, entries| {
            format!("{name} revision {revision}, {bits} bits, factor {compression}, {entries} entries")
        };
        let name = String::from_utf8_lossy(&b[NAME]).trim_end_matches('\0').to_string();
        let is = describe(&name, word(b, 12), b[10], b[11], entries);
        let wanted = describe(
            spec.name,
            spec.revision,
            spec.width.bits() as u8,
            spec.compression,
            spec.entries,
        );
        if is != wanted {
            return Err(version(is, wanted));
        }
        if length != spec.file_bytes() {
            return Err(truncated());
        }
        let depths = (word(b, 84) as usize).min(MAX_DEPTHS);
        let histogram = (0..depths).map(|i| long(b, HISTOGRAM + 8 * i)).collect();
        Ok(Header {
            histogram,
            payload_crc: word(b, 80),
        })
    }
}

/// A file with any payload and the checksums that belong to it.
#[cfg(any(test, fuzzing))]
pub(crate) fn forged(spec: &Spec, payload: &[u8]) -> Vec<u8> {
    let header = Header {
        histogram: Vec::new(),
        payload_crc: crc32fast::hash(payload),
    };
    [&header.to_bytes(spec)[..], payload].concat()
}

fn word(b: &[u8; HEADER_BYTES], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| b[at + i]))
}

fn long(b: &[u8; HEADER_BYTES], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| b[at + i]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SPEC: Spec = Spec {
        name: "some",
        revision: 3,
        width: Width::Nibble,
        compression: 1,
        entries: 1000,
    };

    fn file() -> Vec<u8> {
        let mut file = Header {
            histogram: vec![1, 18, 243 << 40],
            payload_crc: 7,
        }
        .to_bytes(&SPEC)
        .to_vec();
        file.resize(SPEC.file_bytes() as usize, 0);
        file
    }

    fn read(file: &[u8]) -> Result<Header, TableError> {
        Header::read(file, file.len() as u64, &SPEC, Path::new("x"))
    }

    #[test]
    fn a_header_is_read_back() {
        let header = read(&file()).unwrap();
        assert_eq!(
            header,
            Header {
                histogram: vec![1, 18, 243 << 40],
                payload_crc: 7
            }
        );
    }

    #[test]
    fn a_header_that_counts_more_than_there_can_be_is_absurd() {
        let header = |histogram: &[u64]| Header {
            histogram: histogram.to_vec(),
            payload_crc: 7,
        };
        assert!(!header(&[1, 18, 981]).is_absurd(&SPEC));
        // Entries that are bytes of something else count their bits.
        let bytes = Spec {
            width: Width::Byte,
            ..SPEC
        };
        assert!(!header(&[8000]).is_absurd(&bytes) && header(&[8001]).is_absurd(&bytes));
        for histogram in [&[1, 1001][..], &[u64::MAX; 52]] {
            assert!(header(histogram).is_absurd(&SPEC), "{histogram:?}");
        }
    }

    #[test]
    fn a_file_is_cut_only_if_it_begins_as_a_table_does() {
        for bytes in [&b"CRAB"[..], b"c", b"CRANETAX", b"CRANETAX and more"] {
            assert!(matches!(read(bytes), Err(TableError::Foreign { .. })), "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn any_changed_byte_of_the_header_is_noticed(at in 0usize..HEADER_BYTES, xor in 1u8..) {
            let mut file = file();
            file[at] ^= xor;
            prop_assert!(read(&file).is_err());
        }

        #[test]
        fn any_cut_is_noticed(length in 0usize..1012) {
            let read = read(&file()[..length]);
            let truncated = matches!(read, Err(TableError::Length { .. }));
            prop_assert!(truncated);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>) {
            prop_assert!(read(&bytes).is_err());
        }
    }
}
