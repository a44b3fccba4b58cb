//! Tests of the bytes of single records.

use super::*;

fn any_record() -> impl Strategy<Value = Record> {
    let kind = (0usize..7, any::<u8>()).prop_map(|(i, motion)| {
        use StepKind::*;
        [Home, Held, Free, Rest, Back, Begin(Code(motion)), Aside(Code(motion))][i]
    });
    let step = (kind, any::<(u8, Station)>(), any::<[i32; 3]>());
    let turn = (0usize..6, any::<(u8, u8, u8)>()).prop_map(|(face, (first, last, quarters))| Turn {
        face: crate::cube::Face::ALL[face],
        first,
        last,
        quarters,
    });
    prop_oneof![
        step.prop_map(|(kind, (n, at), marks)| Record::Step(Step { kind, n, at, marks })),
        (prop::collection::vec(turn, 0..9), any::<bool>()).prop_map(|(turns, last)| Record::Turns { turns, last }),
        (prop::collection::vec(any::<u8>(), 0..9), any::<bool>()).prop_map(|(motions, last)| {
            let motions = motions.into_iter().map(Code).collect();
            Record::Plan { motions, last }
        }),
        any::<bool>().prop_map(|trouble| Record::Parked { trouble }),
        (2usize..5, any::<bool>(), 0usize..24, any::<Station>()).prop_map(|(n, seen, way, station)| {
            let state = State::solved(n).renamed(Symmetry::rotations()[23 - way]);
            let orientation = Symmetry::rotations()[way];
            let pose = crate::machine::Pose { orientation, station };
            Record::Cube { state, seen, pose }
        }),
        Just(Record::Told),
    ]
}

proptest! {
    #[test]
    fn a_record_is_read_as_it_was_written(record in any_record(), before: u32) {
        let (mut crc, mut bytes) = (before, Vec::new());
        frame(&record, &mut crc, &mut bytes);
        prop_assert_eq!(parse(&bytes, before), Some((record, &[][..], crc)));
    }

    #[test]
    fn a_step_or_turns_of_another_length_are_no_record(record in any_record(), further in 1usize..4, shorter: bool) {
        prop_assume!(matches!(record, Record::Step(_) | Record::Turns { .. }));
        let mut bytes = Vec::new();
        frame(&record, &mut 0, &mut bytes);
        let mut body = bytes[2..bytes.len() - 4].to_vec();
        let length = if shorter { body.len().saturating_sub(further) } else { body.len() + further };
        body.resize(length, 0);
        let mut framed = [&(length as u16).to_le_bytes()[..], &body].concat();
        framed.extend(crc32fast::hash(&framed).to_le_bytes());
        prop_assert_eq!(parse(&framed, 0), None);
    }
}
