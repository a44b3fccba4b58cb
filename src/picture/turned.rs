//! A picture turned about its middle.

use super::Picture;

/// One pixel in the numbers that walk through a picture.
const ONE: i32 = 1 << 16;

/// How a picture is turned, and how one comes back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Roll {
    /// Where the direction to the right of the turned picture leads in the given one.
    right: [f32; 2],
    middle: [f32; 2],
}

impl Roll {
    /// Turns what is turned clockwise by so many degrees in a picture upright.
    pub fn upright(picture: &Picture, degrees: f32) -> Roll {
        let (sin, cos) = degrees.to_radians().sin_cos();
        Roll {
            right: [cos, sin],
            middle: [picture.width, picture.height].map(|side| (side as f32 - 1.0) / 2.0),
        }
    }

    /// Where a place of the turned picture was in the given one. In pixels; (0, 0) is the middle of the first.
    pub fn back(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        let (dx, dy) = (x - self.middle[0], y - self.middle[1]);
        let [cos, sin] = self.right;
        [
            self.middle[0] + dx * cos - dy * sin,
            self.middle[1] + dx * sin + dy * cos,
        ]
    }
}

impl Picture {
    /// The picture turned, as large as it was. What comes from beyond its border has the colour of the border.
    pub fn turned(&self, roll: Roll) -> Picture {
        let half = self.width.div_ceil(2);
        let mut turned = self.clone();
        let fixed = |v: f32| (v * ONE as f32) as i32;
        let [cos, sin] = roll.right.map(fixed);
        for y in 0..self.height {
            let [mut from_x, mut from_y] = roll.back([0.0, y as f32]).map(fixed);
            for x in 0..self.width {
                turned.luma[y * self.width + x] = self.blended(from_x, from_y);
                if x % 2 == 0 {
                    let (near_x, near_y) = ((from_x + ONE / 2) >> 16, (from_y + ONE / 2) >> 16);
                    let line = near_y.clamp(0, self.height as i32 - 1) as usize;
                    let from = line * half + near_x.clamp(0, self.width as i32 - 1) as usize / 2;
                    turned.blue[y * half + x / 2] = self.blue[from];
                    turned.red[y * half + x / 2] = self.red[from];
                }
                from_x += cos;
                from_y += sin;
            }
        }
        turned
    }

    /// The gray value between four pixels, at a place in 1/[`ONE`] pixel.
    fn blended(&self, x: i32, y: i32) -> u8 {
        let clip = |v: i32, length: usize| v.clamp(0, length as i32 - 1) as usize;
        let (left, right) = (clip(x >> 16, self.width), clip((x >> 16) + 1, self.width));
        let (above, below) = (clip(y >> 16, self.height), clip((y >> 16) + 1, self.height));
        // In 1/256 pixel, which is enough and does not overflow.
        let (part_x, part_y) = ((x >> 8) & 0xFF, (y >> 8) & 0xFF);
        let level = |line: usize, column: usize| i32::from(self.luma[line * self.width + column]);
        let across = |line: usize| level(line, left) * (256 - part_x) + level(line, right) * part_x;
        ((across(above) * (256 - part_y) + across(below) * part_y + (1 << 15)) >> 16) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Frame, PixelFormat};
    use proptest::prelude::*;

    fn picture(width: u32, height: u32, data: Vec<u8>) -> Picture {
        let format = PixelFormat::Rgb8;
        Picture::decode(&Frame {
            width,
            height,
            stride: 3 * width,
            format,
            data,
        })
        .unwrap()
    }

    proptest! {
        #[test]
        fn not_turned_it_is_itself_and_no_picture_breaks_it(
            width in 1u32..40, height in 1u32..40, bytes in prop::collection::vec(any::<u8>(), 4800), degrees in -360f32..360.0,
        ) {
            let picture = picture(width, height, bytes[..(3 * width * height) as usize].to_vec());
            prop_assert_eq!(&picture.turned(Roll::upright(&picture, 0.0)), &picture);
            let turned = picture.turned(Roll::upright(&picture, degrees));
            prop_assert_eq!((turned.width, turned.height, turned.bytes()), (picture.width, picture.height, picture.bytes()));
        }

        #[test]
        fn what_lies_in_a_direction_lies_to_the_right_of_the_upright_picture(degrees in -44f32..44.0) {
            // A bright spot 30 pixels from the middle.
            let (sin, cos) = degrees.to_radians().sin_cos();
            let at = [50.0 + 30.0 * cos, 50.0 + 30.0 * sin];
            let level = |x: i32, y: i32| if (x as f32 - at[0]).hypot(y as f32 - at[1]) < 4.0 { 250 } else { 10 };
            let data = (0..101 * 101).flat_map(|i| [level(i % 101, i / 101); 3]).collect();
            let given = picture(101, 101, data);
            let roll = Roll::upright(&given, degrees);
            let turned = given.turned(roll);
            prop_assert!(turned.luma()[50 * 101 + 80] > 200 && turned.luma()[50 * 101 + 20] < 50);
            let back = roll.back([80.0, 50.0]);
            prop_assert!((back[0] - at[0]).abs() < 0.01 && (back[1] - at[1]).abs() < 0.01);
        }
    }
}
