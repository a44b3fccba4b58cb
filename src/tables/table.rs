//! One table, mapped from its file or kept in memory.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use memmap2::{Advice, Mmap};

use super::format::HEADER_BYTES;
use super::{Depths, Header, Spec, TableError, Width};
use crate::progress::Progress;

/// A table that can be asked: mapped read-only from its file, or just built and still in memory.
#[derive(Debug)]
pub struct Table {
    bytes: Bytes,
    header: Header,
}

#[derive(Debug)]
enum Bytes {
    Mapped(Mmap),
    Built(Arc<Vec<u8>>),
}

/// Bytes that are read between two looks whether to stop: a tenth of a second on the brick's card.
const PART: usize = 1 << 19;

impl Table {
    /// Maps a file and checks all of it. The check reads the file once from its beginning to its end, which is also what brings it into
    /// memory at the card's full speed instead of page by page; dropping the table releases the memory.
    pub fn open(path: &Path, spec: &Spec, progress: &dyn Progress) -> Result<Table, TableError> {
        let (file, length) = file(path)?;
        // A length of 0 cannot be mapped.
        if length == 0 {
            return Err(TableError::Length {
                path: path.to_path_buf(),
                expected: spec.file_bytes(),
                found: 0,
            });
        }
        let map = map(&file).map_err(|e| io("map table", path, e))?;
        let header = Header::read(&map, length, spec, path)?;
        // Advice is a hint. If the kernel ignores it, the check below still reads in sequence.
        let _ = map.advise(Advice::Sequential);
        let _ = map.advise(Advice::WillNeed);
        let mut crc = crc32fast::Hasher::new();
        for part in map[HEADER_BYTES..].chunks(PART) {
            if progress.stopped() {
                return Err(TableError::Stopped {
                    path: path.to_path_buf(),
                });
            }
            crc.update(part);
        }
        if crc.finalize() != header.payload_crc {
            return Err(TableError::Damaged {
                path: path.to_path_buf(),
                part: "payload",
            });
        }
        let _ = map.advise(Advice::Random);
        Ok(Table {
            bytes: Bytes::Mapped(map),
            header,
        })
    }

    /// Reads what a file says of itself and compares its length. This checks all but the payload, and takes no time whatever the size.
    pub fn glance(path: &Path, spec: &Spec) -> Result<Header, TableError> {
        let (file, length) = file(path)?;
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        let read = file.take(HEADER_BYTES as u64).read_to_end(&mut bytes);
        read.map_err(|e| io("read table", path, e))?;
        Header::read(&bytes, length, spec, path)
    }

    /// Packs what a search has found.
    pub(super) fn pack(spec: &Spec, depths: &Depths) -> Table {
        let k = spec.compression.max(1) as usize;
        let per_byte = 8 / spec.width.bits();
        let mut payload = vec![0u8; spec.payload_bytes() as usize];
        for (j, group) in depths.depths.chunks(k).enumerate() {
            let depth = group.iter().copied().fold(Depths::UNREACHED, u8::min);
            let value = match spec.width {
                Width::Mod3 if depth == Depths::UNREACHED => 3,
                Width::Mod3 => depth % 3,
                Width::Nibble => depth.min(15),
                Width::Byte => depth,
            };
            payload[j / per_byte] |= value << (j % per_byte * spec.width.bits());
        }
        let header = Header {
            histogram: depths.histogram.clone(),
            payload_crc: crc32fast::hash(&payload),
        };
        Table {
            bytes: Bytes::Built(Arc::new(payload)),
            header,
        }
    }

    /// A copy of a table that was built and not mapped.
    pub(super) fn again(&self) -> Option<Table> {
        let Bytes::Built(payload) = &self.bytes else {
            return None;
        };
        Some(Table {
            bytes: Bytes::Built(payload.clone()),
            header: self.header.clone(),
        })
    }

    /// What the file says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The packed entries, for inner loops.
    #[inline]
    pub fn payload(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map) => &map[HEADER_BYTES..],
            Bytes::Built(payload) => payload,
        }
    }

    /// Entry `index` of a table of [`Width::Nibble`] without compression.
    ///
    /// # Panics
    /// If the index is not below the number of entries.
    #[inline]
    pub fn nibble(payload: &[u8], index: usize) -> u8 {
        payload[index >> 1] >> ((index & 1) * 4) & 15
    }

    /// Entry `index` of a table of [`Width::Mod3`].
    ///
    /// # Panics
    /// If the index is not below the number of entries.
    #[inline]
    pub fn mod3(payload: &[u8], index: usize) -> u8 {
        payload[index >> 2] >> ((index & 3) * 2) & 3
    }

    /// The distance that differs from `near` by at most one and has the residue that [`Table::mod3`] gives. `near` is below 32.
    #[inline]
    pub fn nearest(near: u8, residue: u8) -> u8 {
        /// [near][residue], because a division costs the brick a hundred cycles.
        const NEXT: [[u8; 4]; 32] = {
            let mut next = [[0; 4]; 32];
            let mut near = 0;
            while near < 32 {
                let mut residue = 0;
                while residue < 4 {
                    let step = (residue + 4 - near % 3) % 3;
                    next[near][residue] = (near as u8 + step as u8).saturating_sub(1);
                    residue += 1;
                }
                near += 1;
            }
            next
        };
        NEXT[near as usize & 31][residue as usize & 3]
    }

    /// The distance of entry `index` of a table of [`Width::Mod3`], at most one turn from an entry of distance `near`.
    ///
    /// # Panics
    /// If the index is not below the number of entries.
    #[inline]
    pub fn beside(payload: &[u8], index: usize, near: u8) -> u8 {
        Table::nearest(near, Table::mod3(payload, index))
    }
}

fn io(action: &'static str, path: &Path, source: std::io::Error) -> TableError {
    TableError::Io {
        action,
        path: path.to_path_buf(),
        source,
    }
}

/// Opens a table's file; with its length.
fn file(path: &Path) -> Result<(File, u64), TableError> {
    let missing = |source: std::io::Error| match source.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => TableError::Missing {
            path: path.to_path_buf(),
        },
        _ => io("open table", path, source),
    };
    // Opening a pipe would wait, and a folder cannot be mapped.
    if !std::fs::metadata(path).map_err(missing)?.is_file() {
        return Err(TableError::Foreign {
            path: path.to_path_buf(),
        });
    }
    let file = File::open(path).map_err(missing)?;
    let length = file.metadata().map_err(|e| io("open table", path, e))?.len();
    Ok((file, length))
}

#[allow(unsafe_code)]
fn map(file: &File) -> std::io::Result<Mmap> {
    // SAFETY: the map is read-only, and this program never changes a table in place: it writes a new file and renames it. If another
    // program truncates the file, this process gets a SIGBUS and no undefined data.
    unsafe { Mmap::map(file) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_not_reached_has_no_distance_modulo_3() {
        let depths = vec![0, Depths::UNREACHED, 2, 1];
        let histogram = vec![1, 1, 1];
        let (width, compression, entries) = (Width::Mod3, 1, 4);
        let spec = Spec {
            name: "t",
            revision: 0,
            width,
            compression,
            entries,
        };
        let table = Table::pack(&spec, &Depths { depths, histogram });
        assert_eq!([0, 1, 2, 3].map(|i| Table::mod3(table.payload(), i)), [0, 3, 2, 1]);
    }

    proptest! {
        #[test]
        fn what_is_packed_is_read_back(depths in proptest::collection::vec(0u8..20, 1..200)) {
            let depths = Depths { depths, histogram: vec![] };
            let entries = depths.depths.len() as u64;
            let spec = Spec { name: "t", revision: 0, width: Width::Nibble, compression: 1, entries };
            let nibbles = Table::pack(&spec, &depths);
            let mod3 = Table::pack(&Spec { width: Width::Mod3, ..spec.clone() }, &depths);
            let pairs = Table::pack(&Spec { compression: 2, ..spec }, &depths);
            for (i, &depth) in depths.depths.iter().enumerate() {
                for from in depth.saturating_sub(1)..=depth + 1 {
                    prop_assert_eq!(Table::beside(mod3.payload(), i, from), depth);
                }
                prop_assert_eq!(Table::nibble(nibbles.payload(), i), depth.min(15));
                prop_assert_eq!(Table::mod3(mod3.payload(), i), depth % 3);
                let pair = depths.depths[i & !1].min(*depths.depths.get(i | 1).unwrap_or(&255));
                prop_assert_eq!(Table::nibble(pairs.payload(), i / 2), pair.min(15));
            }
        }
    }
}
