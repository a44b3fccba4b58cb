//! One archive with what an engineer needs to understand a machine's trouble, and without what tells whose machine it is: [`private`] leaves
//! out names of users, computers and networks, [`pixels`] what cameras tell.
//!
//! It is a tar file in gzip's frame, stored and not compressed, and written here: crates that compress and that write archives would be a
//! thirtieth of a brick's program, and what is large in it are pictures, which are compressed already.

mod pixels;
mod private;

pub use pixels::plain;
pub use private::{CODE, Private};

/// What every bundle begins with, and no other archive does: a gzip header without a time, for Unix, and this comment.
pub const BUNDLE_BEGIN: &[u8] = b"\x1f\x8b\x08\x10\0\0\0\0\0\x03cranecuber bundle\0";

/// The folder in the archive.
const FOLDER: &str = "cranecuber-about";
/// Tar's unit, in bytes: a header, and what a file is filled up to.
const BLOCK: usize = 512;
/// The most bytes that gzip stores in one piece.
const PIECE: usize = 0xffff;

/// An archive as far as it is filled. The same files give the same bytes.
#[derive(Debug, Default)]
pub struct Bundle {
    tar: Vec<u8>,
    names: Vec<String>,
}

impl Bundle {
    /// Adds a file. It has no owner and no time. A name is cut at 80 bytes.
    pub fn add(&mut self, name: &str, bytes: &[u8]) {
        let mut header = [0; BLOCK];
        let mut put = |at: usize, text: &str| header[at..at + text.len()].copy_from_slice(text.as_bytes());
        let name = &name[..name.floor_char_boundary(80)];
        put(0, &format!("{FOLDER}/{name}"));
        // Mode, user, group, size and time in octal digits; the checksum counts as blanks; a plain file.
        put(100, "0000644\x000000000\x000000000\0");
        put(124, &format!("{:011o}\0{:011o}\0{:8}0", bytes.len(), 0, ""));
        put(257, "ustar\x0000");
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        self.tar.extend(header);
        self.tar.extend(bytes);
        self.tar.resize(self.tar.len().next_multiple_of(BLOCK), 0);
        self.names.push(name.to_string());
    }

    /// The names of all files so far.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The archive's bytes.
    pub fn end(mut self) -> Vec<u8> {
        // Two empty blocks end it.
        self.tar.resize(self.tar.len() + 2 * BLOCK, 0);
        let mut gzip = BUNDLE_BEGIN.to_vec();
        let mut pieces = self.tar.chunks(PIECE).peekable();
        while let Some(piece) = pieces.next() {
            let length = piece.len() as u16;
            gzip.push(u8::from(pieces.peek().is_none()));
            gzip.extend(length.to_le_bytes());
            gzip.extend((!length).to_le_bytes());
            gzip.extend(piece);
        }
        gzip.extend(crc32fast::hash(&self.tar).to_le_bytes());
        gzip.extend((self.tar.len() as u32).to_le_bytes());
        gzip
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Read;

    proptest! {
        #[test]
        fn what_is_put_in_comes_out_and_nothing_tells_who_did_it(
            files in proptest::collection::btree_map("[a-z]{1,12}\\.(txt|toml|jpg)", proptest::collection::vec(any::<u8>(), 0..40_000), 0..6),
        ) {
            let pack = || {
                let mut bundle = Bundle::default();
                for (name, bytes) in &files {
                    bundle.add(name, bytes);
                }
                bundle.end()
            };
            let packed = pack();
            prop_assert!(packed.starts_with(BUNDLE_BEGIN), "{:?}", &packed[..30]);
            prop_assert_eq!(&packed, &pack());
            let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(&packed[..]));
            let mut found = std::collections::BTreeMap::new();
            for entry in archive.entries().unwrap() {
                let mut entry = entry.unwrap();
                let header = entry.header();
                prop_assert_eq!((header.mtime().unwrap(), header.uid().unwrap(), header.gid().unwrap()), (0, 0, 0));
                prop_assert_eq!(header.username().unwrap().unwrap_or_default(), "");
                let path = entry.path().unwrap().display().to_string();
                let mut bytes = Vec::new();
                entry.read_to_end(&mut bytes).unwrap();
                found.insert(path.strip_prefix("cranecuber-about/").unwrap().to_string(), bytes);
            }
            prop_assert_eq!(found, files);
        }
    }
}
