//! Keys: who knows the token, and what was not changed on its way.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Bytes of a tag: of an HMAC with SHA-256 the first half, which nobody guesses.
pub(super) const TAG: usize = 16;
/// Bytes of a number that is used once.
pub(super) const NONCE: usize = 16;
/// What the token's key is for, so that it opens nothing else.
const PURPOSE: &[u8] = b"cranecuber hands";
/// The longest token.
const LONGEST: usize = 200;

/// A number that is used once.
pub(super) type Nonce = [u8; NONCE];

/// Why a text is no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Nothing in it.
    #[error("an empty token lets everybody in: choose a word, and give it to both bricks")]
    Empty,
    /// More than anybody types.
    #[error("a token has at most {LONGEST} bytes")]
    Long,
}

/// The word that both bricks know. It is never sent.
#[derive(Clone)]
pub struct Token(Key);

impl Token {
    /// The token of a text.
    ///
    /// # Errors
    /// [`TokenError`] for none, or one that is too long.
    pub fn new(text: &str) -> Result<Token, TokenError> {
        match text.len() {
            0 => Err(TokenError::Empty),
            1..=LONGEST => Ok(Token(Key::new(text.as_bytes()))),
            _ => Err(TokenError::Long),
        }
    }

    /// The key of one session, to which both sides give a number.
    pub(super) fn session(&self, master: &Nonce, receiver: &Nonce) -> Key {
        Key::new(&self.0.hash(&[PURPOSE, master, receiver]))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// A key that seals messages.
#[derive(Clone)]
pub(super) struct Key(Hmac<Sha256>);

impl Key {
    pub fn new(bytes: &[u8]) -> Key {
        // A key of any length is one, as HMAC says; what is too long for a block is hashed.
        let mut block = [0; 64];
        match bytes.len() {
            0..=64 => block[..bytes.len()].copy_from_slice(bytes),
            _ => {
                let hash = <Sha256 as sha2::Digest>::digest(bytes);
                block[..hash.len()].copy_from_slice(&hash);
            }
        }
        Key(Hmac::new((&block).into()))
    }

    fn hash(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = self.0.clone();
        parts.iter().for_each(|part| mac.update(part));
        mac.finalize().into_bytes().into()
    }

    /// The tag of some bytes, one part after the other.
    pub fn tag(&self, parts: &[&[u8]]) -> [u8; TAG] {
        let hash = self.hash(parts);
        let mut tag = [0; TAG];
        tag.copy_from_slice(&hash[..TAG]);
        tag
    }

    /// Whether a tag is that of the bytes, in a time that does not tell where they differ.
    pub fn is_of(&self, tag: &[u8], bytes: &[u8]) -> bool {
        tag.len() == TAG && self.0.clone().chain_update(bytes).verify_truncated_left(tag).is_ok()
    }
}

/// Random bytes.
///
/// # Errors
/// If the system gives none.
pub(super) fn random<const N: usize>() -> std::io::Result<[u8; N]> {
    let mut bytes = [0; N];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_the_first_half_of_what_rfc_4231_says() {
        // Its second case, and its sixth with a key that is longer than a block.
        let key = Key::new(b"Jefe");
        let tag = key.tag(&[b"what do ya want ", b"for nothing?"]);
        assert_eq!(tag[..8], [0x5b, 0xdc, 0xc1, 0x46, 0xbf, 0x60, 0x75, 0x4e]);
        let long = Key::new(&[0xaa; 131]);
        let text = b"Test Using Larger Than Block-Size Key - Hash Key First";
        assert_eq!(long.tag(&[text])[..8], [0x60, 0xe4, 0x31, 0x59, 0x1e, 0xe0, 0xb6, 0x7f]);
        assert!(key.is_of(&tag, b"what do ya want for nothing?"));
        assert!(!key.is_of(&tag, b"what do ya want for something") && !key.is_of(&tag[..15], b""));
        assert!(!key.is_of(&[], b"what do ya want for nothing?"));
    }

    #[test]
    fn another_token_or_another_number_is_another_key() {
        let tag = |token: &str, one: u8, two: u8| Token::new(token).unwrap().session(&[one; 16], &[two; 16]).tag(&[]);
        let all = [tag("a", 1, 2), tag("b", 1, 2), tag("a", 2, 2), tag("a", 1, 1)];
        assert!((1..4).all(|i| !all[..i].contains(&all[i])));
        assert_eq!(tag("a", 1, 2), all[0]);
        assert_eq!(Token::new("").unwrap_err(), TokenError::Empty);
        assert_eq!(Token::new(&"x".repeat(201)).unwrap_err(), TokenError::Long);
        assert_eq!(format!("{:?}", Token::new("secret").unwrap()), "Token");
    }
}
