//! What cubers call the cases of the last layer.
//!
//! Places are those of U, in the order of [`crate::cube::CORNERS`] and [`crate::cube::MIDGES`]: URF UFL ULB UBR, UR UF UL UB. A case is
//! the same however U is turned before and after it.

use crate::cube::Cubies;

/// The twists of the corners and the flips of the midges of the 57 cases in which pieces are turned wrong, from number 1, as cubers count
/// them.
const TURNED: [(&str, &str); 57] = [
    ("1212", "1111"),
    ("1122", "1111"),
    ("0222", "1111"),
    ("0111", "1111"),
    ("0222", "0011"),
    ("0111", "0011"),
    ("0222", "1001"),
    ("0111", "0110"),
    ("0111", "1100"),
    ("0222", "1100"),
    ("0222", "0110"),
    ("0111", "1001"),
    ("0222", "1010"),
    ("0111", "0101"),
    ("0222", "0101"),
    ("0111", "1010"),
    ("0102", "1111"),
    ("0021", "1111"),
    ("0012", "1111"),
    ("0000", "1111"),
    ("1212", "0000"),
    ("1122", "0000"),
    ("0021", "0000"),
    ("0012", "0000"),
    ("0102", "0000"),
    ("0111", "0000"),
    ("0222", "0000"),
    ("0000", "0011"),
    ("0012", "0110"),
    ("0012", "1100"),
    ("0012", "0011"),
    ("0012", "1001"),
    ("0012", "1010"),
    ("0012", "0101"),
    ("0102", "0011"),
    ("0102", "1001"),
    ("0102", "1100"),
    ("0102", "0110"),
    ("0102", "1010"),
    ("0102", "0101"),
    ("0021", "1100"),
    ("0021", "0110"),
    ("0021", "0011"),
    ("0021", "1001"),
    ("0021", "1010"),
    ("0021", "0101"),
    ("1122", "0110"),
    ("1122", "0011"),
    ("1122", "1001"),
    ("1122", "1100"),
    ("1122", "0101"),
    ("1122", "1010"),
    ("1212", "0011"),
    ("1212", "0110"),
    ("1212", "1010"),
    ("1212", "0101"),
    ("0000", "0101"),
];

/// The corner and the midge in each place, of the 21 cases in which pieces are in wrong places.
const PLACED: [(&str, &str, &str); 21] = [
    ("Aa", "0132", "3012"),
    ("Ab", "0132", "1230"),
    ("E", "0321", "1230"),
    ("F", "0132", "2103"),
    ("Ga", "0132", "3201"),
    ("Gb", "0132", "2310"),
    ("Gc", "0132", "2031"),
    ("Gd", "0132", "1302"),
    ("H", "0123", "2301"),
    ("Ja", "0132", "0132"),
    ("Jb", "0132", "3120"),
    ("Na", "0321", "2103"),
    ("Nb", "0321", "0321"),
    ("Ra", "0132", "0213"),
    ("Rb", "0132", "1023"),
    ("T", "0132", "0321"),
    ("Ua", "0123", "0312"),
    ("Ub", "0123", "0231"),
    ("V", "0321", "0132"),
    ("Y", "0321", "0213"),
    ("Z", "0123", "1032"),
];

/// What some cases of the first kind are called besides their number.
const NICKNAMES: [(usize, &str); 7] = [
    (21, "H"),
    (22, "Pi"),
    (23, "headlights"),
    (24, "T"),
    (25, "bowtie"),
    (26, "Antisune"),
    (27, "Sune"),
];

/// The number and the name of the case of a last layer whose pieces are not all turned right.
pub(super) fn turned(cubies: &Cubies) -> Option<String> {
    let is_it = |(twists, flips): &(&str, &str)| {
        (0..4).any(|round| matches(twists, &cubies.twists, round, 0) && matches(flips, &cubies.flips, round, 0))
    };
    let number = TURNED.iter().position(is_it)? + 1;
    let nickname = NICKNAMES.iter().find(|(of, _)| *of == number);
    Some(match nickname {
        Some((_, name)) => format!("OLL {number}, {name}"),
        None => format!("OLL {number}"),
    })
}

/// The name of the case of a last layer whose pieces are turned right and not all in their places, not even after a turn of it.
pub(super) fn placed(cubies: &Cubies) -> Option<String> {
    let turns = (0..4).flat_map(|before| (0..4).map(move |after| (before, after)));
    let is_it = |(_, corners, midges): &(&str, &str, &str)| {
        let here = |(before, after)| {
            matches(corners, &cubies.corners, before, after) && matches(midges, &cubies.midges, before, after)
        };
        turns.clone().any(here)
    };
    PLACED
        .iter()
        .find(|case| is_it(case))
        .map(|(name, ..)| format!("PLL {name}"))
}

/// All cases with a name, each as a cube of which it is the last layer: first those whose pieces are turned wrong.
pub(super) fn cases() -> [Vec<(String, Cubies)>; 2] {
    let put = |digits: &str, into: &mut [u8]| {
        into.iter_mut()
            .zip(digits.bytes())
            .for_each(|(to, digit)| *to = digit - b'0')
    };
    let of_turned = |(twists, flips): &(&str, &str)| {
        let mut cubies = Cubies::SOLVED;
        put(twists, &mut cubies.twists);
        put(flips, &mut cubies.flips);
        Some((turned(&cubies)?, cubies))
    };
    let of_placed = |(_, corners, midges): &(&str, &str, &str)| {
        let mut cubies = Cubies::SOLVED;
        put(corners, &mut cubies.corners);
        put(midges, &mut cubies.midges);
        Some((placed(&cubies)?, cubies))
    };
    [
        TURNED.iter().filter_map(of_turned).collect(),
        PLACED.iter().filter_map(of_placed).collect(),
    ]
}

/// Whether the values in the four places of U are those of a case, when the places are counted from another one and the values, too.
fn matches(case: &str, values: &[u8], places: usize, more: u8) -> bool {
    let value = |place: usize| values[(place + places) % 4];
    case.bytes().enumerate().all(|(place, digit)| {
        digit - b'0'
            == if more == 0 {
                value(place)
            } else {
                (value(place) + more) % 4
            }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn every_last_layer_has_one_name_and_each_name_is_as_frequent_as_known() {
        let mut found: HashMap<String, usize> = HashMap::new();
        for twists in 0..81u8 {
            for flips in 0..16u8 {
                let mut cubies = Cubies::SOLVED;
                for place in 0..4u8 {
                    cubies.twists[usize::from(place)] = twists / 3u8.pow(place.into()) % 3;
                    cubies.flips[usize::from(place)] = flips >> place & 1;
                }
                let is_legal = cubies.twists.iter().sum::<u8>() % 3 == 0 && flips.count_ones() % 2 == 0;
                if is_legal && let Some(name) = turned(&cubies) {
                    *found.entry(name).or_default() += 1;
                }
            }
        }
        // All but the one in which everything is turned right.
        assert_eq!((found.len(), found.values().sum::<usize>()), (57, 215));
        assert_eq!((found["OLL 27, Sune"], found["OLL 21, H"], found["OLL 20"]), (4, 2, 1));
    }

    #[test]
    fn every_order_of_the_last_layer_has_one_name() {
        let mut found: HashMap<String, usize> = HashMap::new();
        let mut nameless = 0;
        for corners in 0..24 {
            for midges in 0..24 {
                let mut cubies = Cubies::SOLVED;
                cubies.corners[..4].copy_from_slice(&crate::search::permutation_unrank::<4>(corners));
                cubies.midges[..4].copy_from_slice(&crate::search::permutation_unrank::<4>(midges));
                if crate::cube::is_odd(&cubies.corners) == crate::cube::is_odd(&cubies.midges) {
                    match placed(&cubies) {
                        Some(name) => *found.entry(name).or_default() += 1,
                        None => nameless += 1,
                    }
                }
            }
        }
        // Only turns of the whole layer have no name.
        assert_eq!((found.len(), nameless, found.values().sum::<usize>()), (21, 4, 284));
        assert_eq!(
            (found["PLL T"], found["PLL H"], found["PLL E"], found["PLL Na"]),
            (16, 4, 8, 4)
        );
    }
}
