//! How unlike two colours are.

/// Red, green and blue as the camera gives them (after gamma), in quarters of a level: 0 to 1020.
///
/// A camera's noise is about the same at every such level, and exposure and white balance are factors here as they are in linear light.
/// In Oklab, dark stickers scatter most: with gains fitted per side it was right on fewer disturbed captures than these plain levels.
pub type Level = [i32; 3];

/// The levels of a mean colour.
pub fn level(rgb: [u8; 3]) -> Level {
    rgb.map(|v| 4 * i32::from(v))
}

/// How the levels of a picture are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Curve {
    /// A camera clips: what is [`CLIPPED`] may have been any brighter.
    Clipped,
    /// A camera bends its curve long before it clips, as many do: small differences between the highest levels are large ones of light,
    /// and there is hardly any noise left in them.
    Bent,
    /// A camera clips; and parts of a side may lie in shade, so that hue tells more than level.
    Shaded,
}

impl Curve {
    /// The levels of a mean colour, up to 1262.
    pub fn level(self, rgb: [u8; 3]) -> Level {
        let level = level(rgb);
        match self {
            Curve::Clipped | Curve::Shaded => level,
            Curve::Bent => std::array::from_fn(|i| {
                let over = i32::from(rgb[i].saturating_sub(CLIPPED));
                level[i] + 2 * over * over
            }),
        }
    }

    /// The level from which on nothing is known but that it was at least as bright.
    pub fn clips(self) -> i32 {
        let from = match self {
            Curve::Clipped | Curve::Shaded => CLIPPED,
            Curve::Bent => 254,
        };
        self.level([from; 3])[0]
    }
}

/// The largest distance.
pub const FARTHEST: i32 = 1 << 22;

/// Luma, red against green, and blue against both.
pub fn axes([red, green, blue]: Level) -> Level {
    [
        (4 * red + 10 * green + 2 * blue) / 16,
        red - green,
        (red + green) / 2 - blue,
    ]
}

/// The sum of the squared differences in luma, red against green, and blue against both; at most [`FARTHEST`]. Levels up to 1536.
pub fn distance(a: Level, b: Level) -> i32 {
    let along = axes(std::array::from_fn(|i| a[i] - b[i]));
    along.map(|v| v * v).iter().sum::<i32>().min(FARTHEST)
}

/// Channels of sRGB from here on may be clipped: the true level may be higher. Cameras bend the curve before 255.
pub const CLIPPED: u8 = 244;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_curves_rise_and_differ_only_where_a_camera_may_clip() {
        for curve in [Curve::Clipped, Curve::Bent] {
            let levels: Vec<i32> = (0..=255).map(|v| curve.level([v; 3])[0]).collect();
            assert!(levels.is_sorted_by(|a, b| a < b) && levels[255] <= 1262);
            assert_eq!(
                levels[..=CLIPPED as usize],
                (0..=i32::from(CLIPPED)).map(|v| 4 * v).collect::<Vec<_>>()
            );
        }
        // Above the highest level that is surely not clipped each is further from the last one by 4 more.
        let bent: Vec<i32> = (CLIPPED..=255).map(|v| Curve::Bent.level([0, v, 0])[1]).collect();
        let steps: Vec<i32> = bent.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(steps, (0..11).map(|i| 6 + 4 * i).collect::<Vec<_>>());
        assert!(Curve::Bent.clips() > Curve::Bent.level([253; 3])[0] && Curve::Clipped.clips() == 976);
    }
}
