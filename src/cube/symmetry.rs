//! The 48 symmetries of the cube.

use std::sync::OnceLock;

use super::Face;

/// One of the 48 symmetries of the cube (24 rotations, 24 with a reflection), as the face that each face goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symmetry([Face; 6]);

impl Symmetry {
    /// The symmetry that leaves everything where it is.
    pub const IDENTITY: Symmetry = Symmetry(Face::ALL);

    /// The reflection that exchanges L and R.
    pub fn mirror() -> Symmetry {
        let mut map = Face::ALL;
        map.swap(Face::L as usize, Face::R as usize);
        Symmetry(map)
    }

    /// The whole cube turned clockwise by quarter turns, as seen when looking at `face`: `x` is R, `y` is U, `z` is F.
    pub fn turning(face: Face, quarters: u8) -> Symmetry {
        // Clockwise about x: U goes to B, about y: F goes to L, about z: U goes to R.
        let cycle = match face.axis() {
            0 => [Face::U, Face::B, Face::D, Face::F],
            1 => [Face::F, Face::L, Face::B, Face::R],
            _ => [Face::U, Face::R, Face::D, Face::L],
        };
        let steps = if face.sign() == 1 { quarters } else { 4 - quarters % 4 } as usize;
        let mut map = Face::ALL;
        for (i, from) in cycle.into_iter().enumerate() {
            map[from as usize] = cycle[(i + steps) % 4];
        }
        Symmetry(map)
    }

    /// The 24 rotations, the identity first.
    pub fn rotations() -> [Symmetry; 24] {
        // A search asks for them once for every cube.
        static ALL: OnceLock<[Symmetry; 24]> = OnceLock::new();
        *ALL.get_or_init(|| {
            let mut all = [Symmetry::IDENTITY; 24];
            let (mut next, mut count) = (0, 1);
            while next < count {
                for face in [Face::U, Face::F] {
                    let further = all[next].then(Symmetry::turning(face, 1));
                    if !all[..count].contains(&further) {
                        all[count] = further;
                        count += 1;
                    }
                }
                next += 1;
            }
            all
        })
    }

    /// All 48, the rotations first.
    pub fn all() -> Vec<Symmetry> {
        let mirrored = Symmetry::rotations().map(|r| Symmetry::mirror().then(r));
        [Symmetry::rotations(), mirrored].concat()
    }

    /// First this, then the other.
    pub fn then(self, other: Symmetry) -> Symmetry {
        Symmetry(self.0.map(|face| other.face(face)))
    }

    /// The inverse.
    pub fn inverse(self) -> Symmetry {
        let mut map = Face::ALL;
        for face in Face::ALL {
            map[self.face(face) as usize] = face;
        }
        Symmetry(map)
    }

    /// Where a face goes.
    pub const fn face(self, face: Face) -> Face {
        self.0[face as usize]
    }

    /// Where a position goes.
    pub fn position(self, p: [i32; 3]) -> [i32; 3] {
        let mut q = [0; 3];
        for (axis, &coordinate) in p.iter().enumerate() {
            let to = self.face(Face::at(axis, 1));
            q[to.axis()] = to.sign() * coordinate;
        }
        q
    }

    /// Whether it is a rotation, not a reflection.
    pub fn is_rotation(self) -> bool {
        let [x, y, z] = [0, 1, 2].map(|axis| self.face(Face::at(axis, 1)));
        let cyclic = (x.axis() + 1) % 3 == y.axis();
        let sign: i32 = [x, y, z].map(Face::sign).into_iter().product();
        (sign == 1) == cyclic
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_24_rotations_and_48_symmetries() {
        let all = Symmetry::all();
        assert_eq!(all.len(), 48);
        for (i, s) in all.iter().enumerate() {
            assert_eq!(s.is_rotation(), i < 24);
            assert!(!all[..i].contains(s));
            assert_eq!(s.then(s.inverse()), Symmetry::IDENTITY);
        }
    }

    #[test]
    fn whole_cube_turns_go_the_way_of_the_face_they_are_named_after() {
        let x = Symmetry::turning(Face::R, 1);
        assert_eq!([x.face(Face::F), x.face(Face::U)], [Face::U, Face::B]);
        let y = Symmetry::turning(Face::U, 1);
        assert_eq!([y.face(Face::F), y.face(Face::R)], [Face::L, Face::F]);
        let z = Symmetry::turning(Face::F, 1);
        assert_eq!([z.face(Face::U), z.face(Face::R)], [Face::R, Face::D]);
        assert_eq!(Symmetry::turning(Face::D, 1), Symmetry::turning(Face::U, 3));
        assert_eq!(x.position([1, 3, 5]), [1, 5, -3]);
    }
}
