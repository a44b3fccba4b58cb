//! Collects six sides and decides on all together: the size that they support, and where each side's stickers are.

use super::joint::{Reading, by_lines, dissent, read};
use super::patch::patches;
use super::placement::{Placement, SIZES, placements};
use super::roll::roll;
use super::squares::{Finder, UNITS};
use super::view::{NEAR, SideView, trouble};
use super::{Lattice, Side, VisionError};
use crate::picture::{Picture, Roll};

/// Pictures are reduced to at most this many pixels a side: 17 pixels a sticker on a 7x7x7 that fills half the height.
const WORKING_SIZE: usize = 352;

/// Collects the six sides, one picture at a time.
///
/// It keeps each picture reduced to at most 352 pixels a side (two bytes a pixel), and the squares and placements that were found in
/// it: about 200 kB a side, 1.2 MB in all. The working memory of the pixel stages is shared by all sides.
#[derive(Debug, Default)]
pub struct Survey {
    finder: Finder,
    views: [Option<SideView>; 6],
}

impl Survey {
    /// An empty survey.
    pub fn new() -> Survey {
        Survey::default()
    }

    /// Looks at one side; a second picture of the same side replaces the first, which is given back.
    pub fn add(&mut self, side: Side, picture: &Picture) -> Option<SideView> {
        let factor = picture.factor_for(WORKING_SIZE);
        let mut view = self.look(picture.reduced(factor), factor);
        if let Some(degrees) = roll(&view.squares) {
            let roll = Roll::upright(&view.picture, degrees);
            let upright = self.look(view.picture.turned(roll), factor);
            if upright.explained() > view.explained() {
                view = SideView {
                    roll: Some(roll),
                    trouble: view.trouble,
                    ..upright
                };
            }
        }
        log::debug!(
            "side {side}: {} squares, {} placements",
            view.squares.len(),
            view.placements.len()
        );
        self.views[side as usize].replace(view)
    }

    /// Looks at a reduced picture as it lies.
    fn look(&mut self, picture: Picture, factor: usize) -> SideView {
        let squares = self.finder.squares(picture.luma(), picture.width(), picture.height());
        let placements = placements(&patches(&squares), &squares);
        let trouble = trouble(&picture, self.finder.edges().strongest());
        SideView {
            picture,
            roll: None,
            factor,
            squares,
            placements,
            trouble,
        }
    }

    /// Columns, lines and sides in pixels of all that looks like a square in the picture of a side.
    pub fn squares(&self, side: Side) -> Vec<[f32; 3]> {
        let Some(view) = &self.views[side as usize] else {
            return Vec::new();
        };
        let pixels = |v: i32| v as f32 / UNITS as f32;
        let squares = view.squares.iter().map(|square| {
            let [x, y] = view.given([square.x, square.y].map(pixels));
            [x, y, pixels(square.side) * view.factor as f32]
        });
        squares.collect()
    }

    /// Exchanges what is kept of one side.
    pub fn exchange(&mut self, side: Side, view: SideView) -> Option<SideView> {
        self.views[side as usize].replace(view)
    }

    /// The size that the sides so far support together.
    ///
    /// # Errors
    /// [`VisionError`] for a side that shows no stickers of that size.
    pub fn size(&self) -> Result<usize, VisionError> {
        let seen = Side::ALL.into_iter().zip(&self.views);
        let views: Vec<(Side, &SideView)> = seen.filter_map(|(side, view)| Some((side, view.as_ref()?))).collect();
        let (size, reading) = likeliest(&views).ok_or(VisionError::Missing { side: Side::U })?;
        let without = (views.iter().zip(reading.placements)).find(|(_, placement)| placement.is_none());
        without.map_or(Ok(size), |((side, view), _)| Err(view.trouble.error(*side)))
    }

    /// Decides on the size over all sides, and gives the six lattices in the order of [`Side::ALL`].
    ///
    /// # Errors
    /// [`VisionError`], which names the side and what to do.
    pub fn finish(&self) -> Result<[Lattice; 6], VisionError> {
        let views = self.all()?;
        let placements = likeliest(&views)
            .map(|(_, reading)| reading.placements)
            .unwrap_or_default();
        let placed = views.iter().zip(placements);
        let lattices = placed.map(|(&(side, view), placement)| lattice(side, view, placement));
        let lattices = lattices.collect::<Result<Vec<Lattice>, _>>()?;
        if let Some(error) = lattices.first().and_then(|lattice| dissent(&views, lattice.size)) {
            return Err(error);
        }
        // Six went in, so six come out.
        lattices.try_into().map_err(|_| VisionError::Missing { side: Side::U })
    }

    /// What one side shows, if only its own picture counts.
    ///
    /// # Errors
    /// [`VisionError`], if it shows no stickers.
    pub fn alone(&self, side: Side) -> Result<Lattice, VisionError> {
        let view = self.views[side as usize]
            .as_ref()
            .ok_or(VisionError::Missing { side })?;
        let reading = likeliest(&[(side, view)]).map(|(_, reading)| reading);
        lattice(
            side,
            view,
            reading.and_then(|reading| reading.placements.into_iter().next()?),
        )
    }

    /// Six lattices each by the lines between stickers, the best first. For when [`finish`](Self::finish) fails or gives a doubtful result.
    /// Only the colours can tell which of them is right, if any.
    ///
    /// # Errors
    /// If a side is missing.
    pub fn by_lines(&self) -> Result<Vec<[Lattice; 6]>, VisionError> {
        let views = self.all()?;
        let lattices = |placements: Vec<Placement>| -> Option<[Lattice; 6]> {
            let sides = views.iter().zip(&placements);
            if !placements.iter().all(Placement::is_seen) {
                return None;
            }
            let lattices: Vec<Lattice> = sides.map(|((_, view), placement)| view.lattice(placement)).collect();
            lattices.try_into().ok()
        };
        // A size that is likeliest neither by the squares nor by the lines would be right only by chance.
        let by_squares = likeliest(&views).map(|(size, _)| size);
        let placed = by_lines(&views).into_iter().enumerate();
        let likely = placed.filter(|(i, sides)| *i == 0 || sides.first().map(|side| side.size) == by_squares);
        Ok(likely.filter_map(|(_, sides)| lattices(sides)).collect())
    }

    fn all(&self) -> Result<Vec<(Side, &SideView)>, VisionError> {
        let given = Side::ALL.into_iter().zip(&self.views);
        given
            .map(|(side, view)| Ok((side, view.as_ref().ok_or(VisionError::Missing { side })?)))
            .collect()
    }
}

/// The lattice where a side's stickers were placed, if enough of them were seen.
fn lattice(side: Side, view: &SideView, placement: Option<Placement>) -> Result<Lattice, VisionError> {
    let placement = placement.filter(Placement::is_seen);
    let placement = placement.ok_or_else(|| view.trouble.error(side))?;
    log::debug!(
        "side {side}: {} of {} stickers seen",
        placement.seen(),
        placement.found.len()
    );
    // A patch may have been led astray by clutter beyond the side: what lies on the final lattice counts.
    let placement = Placement::on(placement.grid, placement.size, &view.squares, NEAR);
    Ok(view.lattice(&placement))
}

/// The size whose reading explains most of the pictures; `None` without pictures.
fn likeliest(views: &[(Side, &SideView)]) -> Option<(usize, Reading)> {
    let mut best: Option<(usize, Reading)> = None;
    for size in SIZES.filter(|_| !views.is_empty()) {
        let reading = read(views, size);
        log::debug!("as {size}x{size}: {:.3} pictures explained", reading.weight);
        if best.as_ref().is_none_or(|(_, best)| reading.weight > best.weight) {
            best = Some((size, reading));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::drawing::{COLOURS, Drawing, Random};
    use crate::vision::find;
    use proptest::prelude::*;

    fn pictures(sides: &[Drawing; 6]) -> [Picture; 6] {
        sides.each_ref().map(Drawing::picture)
    }

    /// Size, places and colours are those that were drawn.
    fn check(sides: &[Drawing; 6]) {
        let what = || {
            let first = &sides[0];
            (
                first.size,
                first.width,
                first.fill,
                first.gap,
                first.turned,
                first.off,
                first.noise,
                first.background,
            )
        };
        let lattices = find(&pictures(sides)).unwrap_or_else(|e| panic!("{e}: {:?}", what()));
        for (number, (side, lattice)) in sides.iter().zip(&lattices).enumerate() {
            assert_eq!(lattice.size, side.size, "side {number} of {:?}", what());
            assert!(
                (f64::from(lattice.pitch) / side.pitch() - 1.0).abs() < 0.06,
                "side {number} of {:?}",
                what()
            );
            for cell in 0..side.size * side.size {
                let [x, y] = side.centre(cell);
                let [fx, fy] = lattice.centres[cell].map(f64::from);
                let off = (x - fx).abs().max((y - fy).abs()) / side.pitch();
                assert!(
                    off < 0.15,
                    "cell {cell} of side {number} is off by {off} of {:?}",
                    what()
                );
                let (seen, drawn) = (lattice.rgb[cell], side.colours[cell]);
                for (s, d) in seen.iter().zip(drawn) {
                    let difference = (i32::from(*s) - i32::from(d)).abs();
                    assert!(
                        difference < 16,
                        "cell {cell} of side {number}: {seen:?} for {drawn:?} of {:?}",
                        what()
                    );
                }
            }
        }
    }

    #[test]
    fn a_solved_cube_is_seen_at_every_size() {
        for (width, height) in [(160, 120), (320, 240), (352, 288), (640, 480)] {
            for size in SIZES {
                check(&COLOURS.map(|colour| Drawing::new(width, height, size, colour)));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn a_scrambled_cube_is_seen_askew_off_centre_and_through_noise(
            size in 2usize..8, seed: u32, roll in -5.0..5.0, tilt in -8.0..8.0, pan in -8.0..8.0, fill in 0.45..0.7,
            off in prop::array::uniform2(-0.08..0.08), gap in 0.1..0.22, noise in 0u8..9, plate: u8,
        ) {
            let mut seed = seed;
            check(&COLOURS.map(|colour| {
                seed = seed.wrapping_add(77);
                let straight = Drawing::new(320, 240, size, colour).scrambled(seed);
                Drawing { turned: [roll, tilt, pan], fill, off, gap, noise, background: [plate / 2 + 40; 3], ..straight }
            }));
        }

        #[test]
        fn a_cube_that_a_hand_turns_is_seen_and_its_places_are_those_of_the_given_picture(
            size in 2usize..8, seed: u32, rolls in prop::array::uniform6(-25.0..25.0), off in prop::array::uniform2(-0.06..0.06),
        ) {
            let mut sides = COLOURS.map(|colour| Drawing { off, ..Drawing::new(320, 240, size, colour).scrambled(seed) });
            for (side, roll) in sides.iter_mut().zip(rolls) {
                side.turned = [roll, 0.0, 0.0];
            }
            check(&sides);
        }

        #[test]
        fn hidden_stickers_are_placed(size in 3usize..8, seed: u32, small: bool) {
            let mut random = Random(seed);
            let (width, height) = if small { (160, 120) } else { (320, 240) };
            check(&COLOURS.map(|colour| {
                let mut side = Drawing::new(width, height, size, colour);
                // A side that shows less than a quarter of its stickers is not tested.
                let mut hidden = 0;
                for sticker in &mut side.colours {
                    if random.below(6) == 0 && 3 * hidden < size * size {
                        *sticker = [12, 12, 14];
                        hidden += 1;
                    }
                }
                side
            }));
        }

        #[test]
        fn the_other_sides_tell_where_a_row_is_missing(size in 3usize..8, side in 0usize..6, row in 0usize..4, seed: u32) {
            // Black on black: nothing but the other sides tells on which border the row is missing.
            let mut sides = COLOURS.map(|colour| {
                let side = Drawing::new(320, 240, size, colour).scrambled(seed);
                Drawing { background: [12, 12, 14], ..side }
            });
            for i in 0..size {
                let cell = [i, (size - 1) * size + i, i * size, i * size + size - 1][row];
                sides[side].colours[cell] = [12, 12, 14];
            }
            check(&sides);
        }

        #[test]
        fn no_pictures_make_it_panic(
            sizes in prop::array::uniform6((1usize..50, 1usize..50)), bytes in prop::collection::vec(any::<u8>(), 7500),
        ) {
            let pictures = sizes.map(|(width, height)| {
                let (width, height) = (width as u32, height as u32);
                let data = bytes[..(3 * width * height) as usize].to_vec();
                let format = crate::picture::PixelFormat::Rgb8;
                Picture::decode(&crate::picture::Frame { width, height, stride: 3 * width, format, data }).unwrap()
            });
            if let Err(error) = find(&pictures) {
                prop_assert!(!error.to_string().contains('\n'));
            }
        }
    }

    fn usable(side: Side) -> Drawing {
        Drawing::new(320, 240, 3, COLOURS[side as usize]).scrambled(side as u32)
    }

    /// Side B as `picture`, the others well drawn.
    fn with_b(picture: &Picture) -> Result<[Lattice; 6], VisionError> {
        let mut survey = Survey::new();
        for side in Side::ALL {
            if side == Side::B {
                survey.add(side, picture);
            } else {
                survey.add(side, &usable(side).picture());
            }
        }
        survey.finish()
    }

    #[test]
    fn a_side_without_a_cube_is_named_with_the_reason() {
        let plain = |level: u8| {
            Drawing {
                background: [level; 3],
                fill: 0.001,
                ..usable(Side::B)
            }
            .picture()
        };
        assert_eq!(with_b(&plain(10)), Err(VisionError::TooDark { side: Side::B }));
        assert_eq!(with_b(&plain(250)), Err(VisionError::TooBright { side: Side::B }));
        assert_eq!(with_b(&plain(128)), Err(VisionError::TooBlurred { side: Side::B }));
        let clutter = Drawing {
            fill: 0.08,
            background: [90; 3],
            ..usable(Side::B)
        }
        .picture();
        assert_eq!(with_b(&clutter), Err(VisionError::NoCube { side: Side::B }));
        assert_eq!(
            with_b(&usable(Side::B).picture().reduced(12)),
            Err(VisionError::TooSmall { side: Side::B })
        );
        assert!(with_b(&usable(Side::B).picture()).is_ok());
    }

    #[test]
    fn a_missing_side_is_named() {
        let mut survey = Survey::new();
        for side in [Side::U, Side::L, Side::F, Side::B, Side::D] {
            survey.add(side, &usable(side).picture());
        }
        assert_eq!(survey.finish(), Err(VisionError::Missing { side: Side::R }));
    }

    #[test]
    fn sides_of_different_cubes_disagree() {
        let found = |sizes: [usize; 6]| {
            let sides = Side::ALL.map(|side| Drawing::new(320, 240, sizes[side as usize], COLOURS[side as usize]));
            find(&pictures(&sides))
        };
        let three = found([3, 3, 3, 5, 5, 5]);
        assert!(matches!(three, Err(VisionError::Disagree { .. })), "{three:?}");
        // Two may be mistaken.
        let two = found([3, 3, 3, 3, 5, 5]);
        assert!(!matches!(two, Err(VisionError::Disagree { .. })), "{two:?}");
    }

    #[test]
    fn a_side_that_is_added_again_replaces_the_first() {
        let mut survey = Survey::new();
        for side in Side::ALL {
            survey.add(side, &Drawing::new(320, 240, 3, COLOURS[0]).picture());
        }
        survey.add(Side::F, &Drawing::new(320, 240, 3, COLOURS[4]).picture());
        let lattices = survey.finish().unwrap();
        assert!(
            lattices[Side::F as usize]
                .rgb
                .iter()
                .all(|rgb| rgb[0] > 150 && rgb[1] < 50)
        );
    }

    #[test]
    fn what_is_kept_of_six_sides_stays_small() {
        let mut survey = Survey::new();
        for side in Side::ALL {
            survey.add(side, &Drawing::new(640, 480, 7, COLOURS[0]).scrambled(5).picture());
        }
        let kept: usize = survey.views.iter().flatten().map(SideView::bytes).sum();
        assert!(kept < 1_500_000, "{kept} bytes");
    }
}
