//! Points, and how a part stands: turned and moved.

/// A point in millimetres: to the right, up, to the front.
pub type Point = [f64; 3];

/// How something stands: first turned about the zero, then moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Where the turning takes the three axes.
    axes: [Point; 3],
    moved: Point,
}

impl Place {
    /// Moved only.
    pub fn at(moved: Point) -> Place {
        Place {
            axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            moved,
        }
    }

    /// Turned about an axis by degrees, as a right hand's fingers go around its thumb on the axis.
    pub fn turned(axis: usize, degrees: f64) -> Place {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let mut place = Place::at([0.0; 3]);
        let (second, third) = ((axis + 1) % 3, (axis + 2) % 3);
        place.axes[second] = [0.0; 3];
        place.axes[second][second] = cos;
        place.axes[second][third] = sin;
        place.axes[third] = [0.0; 3];
        place.axes[third][second] = -sin;
        place.axes[third][third] = cos;
        place
    }

    /// This, and then another one.
    #[must_use]
    pub fn then(&self, next: &Place) -> Place {
        Place {
            axes: self.axes.map(|axis| next.directed(axis)),
            moved: next.of(self.moved),
        }
    }

    fn directed(&self, point: Point) -> Point {
        std::array::from_fn(|i| (0..3).map(|axis| point[axis] * self.axes[axis][i]).sum())
    }

    /// Where it takes a point.
    pub fn of(&self, point: Point) -> Point {
        let turned = self.directed(point);
        std::array::from_fn(|i| turned[i] + self.moved[i])
    }
}

/// From the second point to the first.
pub(super) fn minus(a: Point, b: Point) -> Point {
    std::array::from_fn(|i| a[i] - b[i])
}

/// The inner product.
pub(super) fn times(a: Point, b: Point) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

/// The outer product.
pub(super) fn cross(a: Point, b: Point) -> Point {
    std::array::from_fn(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
}

/// The same direction, one long.
pub(super) fn unit(a: Point) -> Point {
    let long = times(a, a).sqrt().max(f64::MIN_POSITIVE);
    a.map(|v| v / long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_about_each_axis_takes_the_next_axis_to_the_one_after() {
        for axis in 0..3 {
            let mut point = [0.0; 3];
            point[(axis + 1) % 3] = 2.0;
            let mut there = [0.5; 3];
            there[(axis + 2) % 3] = 2.5;
            let place = Place::turned(axis, 90.0).then(&Place::at([0.5; 3]));
            let off = minus(place.of(point), there);
            assert!(times(off, off) < 1e-20, "{axis}");
        }
    }
}
