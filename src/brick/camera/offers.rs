//! What formats and sizes a camera offers, and which suits the brick best.

use std::cmp::Reverse;

use super::video::{Device, FourCc, Sizes};
use crate::picture::PixelFormat;

/// The camera formats that the program reads; YUYV first, because it costs no decoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Yuyv,
    Jpeg,
}

impl Kind {
    pub(super) fn of(fourcc: FourCc) -> Option<Self> {
        match &fourcc {
            b"YUYV" => Some(Self::Yuyv),
            b"MJPG" | b"JPEG" => Some(Self::Jpeg),
            _ => None,
        }
    }

    pub(super) fn fourcc(self) -> FourCc {
        match self {
            Self::Yuyv => *b"YUYV",
            Self::Jpeg => *b"MJPG",
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Yuyv => "YUYV",
            Self::Jpeg => "MJPG",
        }
    }

    pub(super) fn pixel_format(self) -> PixelFormat {
        match self {
            Self::Yuyv => PixelFormat::Yuyv,
            Self::Jpeg => PixelFormat::Jpeg,
        }
    }
}

/// One format and size that a camera offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Offer {
    pub kind: Kind,
    pub width: u32,
    pub height: u32,
}

/// The offers that suit the brick, best first: YUYV before JPEG, 320x240 or 352x288 before all other sizes, those by their number of
/// pixels, none below 160x120, and nothing that fills the brick's memory.
pub(super) fn ranked(offers: &[Offer]) -> Vec<Offer> {
    let suits = |offer: &Offer| {
        (160..=1280).contains(&offer.width)
            && (120..=1024).contains(&offer.height)
            && offer.width * offer.height <= 1280 * 1024
    };
    let preferred = |offer: &Offer| matches!((offer.width, offer.height), (320, 240) | (352, 288));
    let pixels = |offer: &Offer| offer.width * offer.height;
    // More than 640x480 of YUYV is slower over USB 1.1 than the same in JPEG.
    let is_big = |offer: &Offer| offer.kind == Kind::Yuyv && pixels(offer) > 640 * 480;
    let mut suitable: Vec<Offer> = offers.iter().copied().filter(suits).collect();
    crate::order::by_key(&mut suitable, |offer| {
        (is_big(offer), offer.kind, Reverse(preferred(offer)), pixels(offer))
    });
    suitable
}

/// Sizes that are asked of a camera which names only a range, or none.
const USUAL: [(u32, u32); 4] = [(320, 240), (352, 288), (160, 120), (640, 480)];

/// What a camera offers in the formats that the program reads.
pub(super) fn offers(device: &impl Device) -> Vec<Offer> {
    let mut offers = Vec::new();
    for format in device.formats() {
        let Some(kind) = Kind::of(format) else { continue };
        let mut add = |width, height| offers.push(Offer { kind, width, height });
        match device.sizes(format) {
            Ok(sizes) => {
                for size in sizes {
                    match size {
                        Sizes::One(width, height) => add(width, height),
                        Sizes::Between(widths, heights) => USUAL
                            .into_iter()
                            .filter(|(width, height)| widths.contains(width) && heights.contains(height))
                            .for_each(|(width, height)| add(width, height)),
                    }
                }
            }
            // The driver does not say which sizes it has.
            Err(_) => USUAL.into_iter().for_each(|(width, height)| add(width, height)),
        }
    }
    offers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(kind: Kind, width: u32, height: u32) -> Offer {
        Offer { kind, width, height }
    }

    fn choose(offers: &[Offer]) -> Option<Offer> {
        ranked(offers).first().copied()
    }

    #[test]
    fn yuyv_at_a_quarter_of_vga_is_taken_when_it_is_offered() {
        let offers = [
            offer(Kind::Jpeg, 320, 240),
            offer(Kind::Yuyv, 640, 480),
            offer(Kind::Yuyv, 160, 120),
            offer(Kind::Yuyv, 352, 288),
            offer(Kind::Yuyv, 320, 240),
        ];
        assert_eq!(choose(&offers), Some(offer(Kind::Yuyv, 320, 240)));
        assert_eq!(choose(&offers[..4]), Some(offer(Kind::Yuyv, 352, 288)));
        assert_eq!(choose(&offers[..3]), Some(offer(Kind::Yuyv, 160, 120)));
        assert_eq!(choose(&offers[..2]), Some(offer(Kind::Yuyv, 640, 480)));
        assert_eq!(choose(&offers[..1]), Some(offer(Kind::Jpeg, 320, 240)));
    }

    #[test]
    fn too_small_and_too_big_sizes_are_never_taken() {
        assert_eq!(
            choose(&[
                offer(Kind::Yuyv, 128, 96),
                offer(Kind::Yuyv, 160, 90),
                offer(Kind::Jpeg, 1920, 1080)
            ]),
            None
        );
        assert_eq!(choose(&[]), None);
    }

    #[test]
    fn jpeg_is_taken_where_yuyv_is_only_offered_big() {
        let offers = [offer(Kind::Yuyv, 1280, 720), offer(Kind::Jpeg, 640, 480)];
        assert_eq!(choose(&offers), Some(offer(Kind::Jpeg, 640, 480)));
        assert_eq!(choose(&offers[..1]), Some(offers[0]));
    }

    #[test]
    fn where_the_bus_has_no_room_others_are_tried_in_turn() {
        let offers = [
            offer(Kind::Jpeg, 320, 240),
            offer(Kind::Yuyv, 640, 480),
            offer(Kind::Yuyv, 320, 240),
            offer(Kind::Yuyv, 160, 120),
        ];
        assert_eq!(ranked(&offers), [2, 3, 1, 0].map(|i: usize| offers[i]));
    }
}
