//! Tests of the journal: the state at every step, cuts, wrong bytes, and what is no journal.

#[cfg(feature = "benches")]
mod killed;
mod records;

use super::*;
use crate::crane::{CraneLogic, FlipperEnd, Mechanism, Planner, Pose, Primitive, tipped};
use crate::cube::{merged, random_turns};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The journal of a whole job, and after each record its length, what it says, and the cube as it stands in the crane.
fn job(n: usize, seed: u64) -> (Vec<u8>, Vec<(usize, Account, State)>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let turns = random_turns(n, 6, &mut rng);
    let mut world = State::solved(n);
    world.turn_all(&random_turns(n, 20, &mut rng));
    let plan = Planner::new(&Mechanism::builtin(), n)
        .unwrap()
        .plan(Pose::START, &turns);
    let mut pose = Pose::START;
    let mut records = vec![
        Record::Start {
            boot: Some("a boot".to_string()),
            kind: "crane".to_string(),
            machine: "a crane".to_string(),
        },
        Record::Cube {
            state: world.clone(),
            seen: true,
            pose: pose.into(),
        },
        Record::Turns { turns, last: false },
        Record::Plan {
            motions: plan.primitives.iter().map(|primitive| primitive.code()).collect(),
            last: true,
        },
    ];
    let step = |kind, pose: Pose| {
        Record::Step(Step {
            kind,
            n: n as u8,
            at: pose.station(),
            marks: [-840, 7, 0],
        })
    };
    records.push(step(StepKind::Home, pose));
    let mut worlds = vec![world.clone(); records.len()];
    for &primitive in &plan.primitives {
        records.push(step(StepKind::Begin(primitive.code()), pose));
        worlds.push(world.clone());
        pose = pose.act(primitive, &mut world).unwrap();
    }
    records.extend([
        step(StepKind::Held, pose),
        step(StepKind::Rest, pose),
        Record::Parked { trouble: true },
    ]);
    worlds.push(world.clone());
    if pose.flipper == FlipperEnd::Away {
        world.rotate(tipped(FlipperEnd::Away));
    }
    worlds.extend([world.clone(), world]);
    let (mut bytes, mut crc) = (Vec::new(), 0);
    let mut after = Vec::new();
    for (record, world) in records.iter().zip(worlds) {
        frame(record, &mut crc, &mut bytes);
        after.push((bytes.len(), Account::read(&bytes).unwrap(), world));
    }
    (bytes, after)
}

/// The cube as it stands in the crane.
fn standing(account: &Account) -> Option<State> {
    let mut state = account.cube.as_ref()?.0.clone();
    state.rotate(account.pose().orientation);
    Some(state)
}

/// The account of the records that end before this byte.
fn before(after: &[(usize, Account, State)], byte: usize) -> Option<Account> {
    let record = after.iter().rev().find(|(end, _, _)| *end <= byte)?;
    Some(record.1.clone())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_cube_is_told_at_every_step(n in 2usize..6, seed: u64) {
        let (_, after) = job(n, seed);
        for (i, (_, account, world)) in after.iter().enumerate().skip(1) {
            prop_assert!(!account.damaged);
            prop_assert_eq!(standing(account), Some(world.clone()), "after record {}", i);
        }
        // However far it is, what is left leads to the same cube.
        let end = |account: &Account| {
            let mut state = account.after().unwrap_or(account.cube.as_ref().unwrap().0.clone());
            state.turn_all(&account.turns_left());
            state
        };
        let last = end(&after.last().unwrap().1);
        prop_assert!(after.last().unwrap().1.turns_left().is_empty());
        let ways = Symmetry::rotations();
        for (_, account, _) in &after[2..] {
            let state = end(account);
            let same = ways.iter().any(|&way| {
                let mut held = state.clone();
                held.rotate(way);
                held == last
            });
            prop_assert!(same);
        }
    }

    #[test]
    fn a_journal_that_is_cut_anywhere_says_what_its_whole_records_say(n in 2usize..6, seed: u64, cut: prop::sample::Index) {
        let (bytes, after) = job(n, seed);
        let cut = cut.index(bytes.len());
        let mut expected = before(&after, cut);
        if let Some(account) = &mut expected {
            account.damaged = after.iter().all(|(end, _, _)| *end != cut);
        }
        prop_assert_eq!(Account::read(&bytes[..cut]), expected);
    }

    #[test]
    fn a_wrong_byte_is_damage_and_never_another_state(n in 2usize..6, seed: u64, at: prop::sample::Index, by in 1u8..) {
        let (mut bytes, after) = job(n, seed);
        let at = at.index(bytes.len());
        bytes[at] ^= by;
        let mut expected = before(&after, at);
        if let Some(account) = &mut expected {
            account.damaged = true;
        }
        prop_assert_eq!(Account::read(&bytes), expected);
    }

    #[test]
    fn what_is_left_over_from_another_journal_is_no_record(n in 2usize..6, seed: u64, at: prop::sample::Index) {
        let (mut bytes, after) = job(n, seed);
        let (others, other) = job(n, seed.wrapping_add(1));
        // Both begin alike, up to the cube.
        let at = 1 + at.index(after.len().min(other.len()) - 2);
        bytes.truncate(after[at].0);
        bytes.extend(&others[other[at].0..]);
        let expected = Account { damaged: true, ..after[at].1.clone() };
        prop_assert_eq!(Account::read(&bytes), Some(expected));
    }

    #[test]
    fn the_cube_and_how_the_job_ended_are_on_the_disk_at_any_time(n in 2usize..6, seed: u64) {
        let (bytes, after) = job(n, seed);
        let cube = |account: &Account| account.after().or(account.cube.as_ref().map(|cube| cube.0.clone()));
        for (end, account, _) in &after {
            let kept = Account::read(&bytes[..synced(&bytes[..*end])]).unwrap();
            prop_assert_eq!(cube(&kept), cube(account));
            prop_assert_eq!(kept.parked, account.parked);
        }
        // Nothing else waits.
        let waited = after.iter().filter(|(end, _, _)| synced(&bytes[..*end]) == *end).count();
        prop_assert!(waited < after.len() / 2);
    }
}

/// An account that ends in the middle of a turn, that turn's step, and the cube before it as it stands in the crane.
fn turning() -> (Account, Step, State) {
    let (_, after) = job(3, 3);
    let (_, account, world) = after
        .into_iter()
        .find(|(_, account, _)| account.after().is_some())
        .unwrap();
    let step = account.step.unwrap();
    (account, step, world)
}

#[test]
fn a_turn_that_was_taken_back_has_not_turned_the_cube() {
    let (mut account, step, before) = turning();
    for kind in [StepKind::Back, StepKind::Free, StepKind::Held] {
        account.add(&Record::Step(Step { kind, ..step })).unwrap();
        assert_eq!((account.after(), standing(&account)), (None, Some(before.clone())));
    }
}

#[test]
fn a_cube_that_is_seen_anew_is_not_turned_by_what_was_under_way() {
    let (mut account, step, _) = turning();
    let state = State::solved(3);
    let pose = Pose::START.into();
    account
        .add(&Record::Cube {
            state: state.clone(),
            seen: true,
            pose,
        })
        .unwrap();
    assert_eq!(account.after(), None);
    account
        .add(&Record::Step(Step {
            kind: StepKind::Rest,
            ..step
        }))
        .unwrap();
    assert_eq!(account.cube, Some((state, true)));
}

#[test]
fn a_job_that_goes_on_is_not_parked_any_more() {
    let (mut account, step, _) = turning();
    for trouble in [false, true] {
        account.add(&Record::Parked { trouble }).unwrap();
        assert_eq!(account.parked, Some(trouble));
        let kind = StepKind::Held;
        account.add(&Record::Step(Step { kind, ..step })).unwrap();
        assert_eq!(account.parked, None);
    }
}

#[test]
fn turns_that_come_in_parts_are_all_to_be_made() {
    let turns = merged(&random_turns(4, 9, &mut ChaCha8Rng::seed_from_u64(1)));
    let (first, second) = turns.split_at(4);
    let mut account = Account::new(None, &CraneLogic, "a crane".to_string());
    for (turns, last) in [(first, false), (second, true)] {
        let turns = turns.to_vec();
        account.add(&Record::Turns { turns, last }).unwrap();
    }
    assert_eq!((account.turns_left(), account.complete), (turns, true));
}

#[test]
fn a_plan_that_no_crane_can_do_makes_no_sense() {
    let cube = |state: State| Record::Cube {
        state,
        seen: true,
        pose: Pose::START.into(),
    };
    let plan = |primitives: &[Primitive]| Record::Plan {
        motions: primitives.iter().map(|primitive| primitive.code()).collect(),
        last: true,
    };
    let mut account = Account::new(None, &CraneLogic, "a crane".to_string());
    assert_eq!(account.add(&plan(&[Primitive::Flip])), None);
    account.add(&cube(State::solved(3))).unwrap();
    account.add(&plan(&[Primitive::Flip])).unwrap();
    // A cube that rests is not turned in layers.
    let turn = Primitive::Turn {
        quarters: 1,
        flip: false,
    };
    assert_eq!(account.add(&plan(&[Primitive::Flip, turn])), None);
    account.add(&plan(&[Primitive::Elevate { rows: 1 }, turn])).unwrap();
    assert_eq!(account.turns_left().len(), 1);
}

#[test]
fn a_journal_that_cannot_be_written_is_removed_and_hinders_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("no folder/journal");
    let cube = Record::Cube {
        state: State::solved(2),
        seen: true,
        pose: Pose::START.into(),
    };
    let mut journal = Journal::begin(
        Some(&nowhere),
        None,
        (&CraneLogic, "a crane"),
        std::slice::from_ref(&cube),
    );
    journal.write(&Record::Parked { trouble: false });
    assert_eq!(journal.account.parked, Some(false));
    // A device that is always full.
    let path = folder.path().join("journal");
    let mut journal = Journal::begin(Some(&path), None, (&CraneLogic, "a crane"), &[cube]);
    assert!(Journal::find(&path, None).unwrap().is_some());
    // In the place of a folder there can be none, and half of one is not left beside it.
    let taken = folder.path().join("folder");
    std::fs::create_dir_all(taken.join("with something in it")).unwrap();
    assert!(
        Journal::begin(Some(&taken), None, (&CraneLogic, "a crane"), &[])
            .file
            .is_none()
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        journal.file = Some(full);
        journal.write(&Record::Parked { trouble: false });
        assert!(!path.exists() && journal.file.is_none());
    }
}

#[test]
fn a_sound_journal_is_gone_on_with_and_a_damaged_one_stays_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let (bytes, after) = job(3, 1);
    for torn in [0, 3] {
        std::fs::write(&path, &bytes[..bytes.len() - torn]).unwrap();
        let mut journal = Journal::find(&path, None).unwrap().unwrap();
        journal.write(&Record::Parked { trouble: false });
        let account = Account::read(&std::fs::read(&path).unwrap()).unwrap();
        let expected = if torn == 0 { Some(false) } else { None };
        assert_eq!((account.damaged, account.parked), (torn > 0, expected));
        assert_eq!(standing(&account), standing(&after.last().unwrap().1));
        journal.remove();
        assert!(!path.exists() && Journal::find(&path, None).unwrap().is_none());
    }
}

#[test]
fn a_camera_may_be_needed_unless_the_cube_was_never_scanned() {
    let mut account = Account::new(None, &CraneLogic, "a crane".to_string());
    assert!(account.may_look());
    for seen in [false, true] {
        let cube = Record::Cube {
            state: State::solved(3),
            seen,
            pose: Pose::START.into(),
        };
        account.add(&cube).unwrap();
        assert_eq!(account.may_look(), seen);
    }
}

#[test]
fn only_a_journal_or_an_empty_file_is_replaced_or_removed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (journal, _) = job(2, 1);
    let mut damaged = journal.clone();
    damaged[9] ^= 1;
    let huge = std::fs::File::create(at("huge")).unwrap();
    huge.set_len(3 << 30).unwrap();
    let foreign: [(&str, &[u8]); 4] = [
        ("notes", b"my notes"),
        ("robot.toml", crate::crane::BUILTIN.as_bytes()),
        ("damaged", &damaged),
        ("short", &journal[..20]),
    ];
    for (name, bytes) in foreign {
        std::fs::write(at(name), bytes).unwrap();
    }
    std::os::unix::fs::symlink(at("notes"), at("link")).unwrap();
    std::os::unix::fs::symlink(at("sound"), at("link to ours")).unwrap();
    std::fs::write(at("sound"), &journal).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), rustix::fs::Mode::RWXU).unwrap();
    for name in ["huge", "link", "link to ours", "pipe", "/dev/null", "/dev/zero", "."]
        .into_iter()
        .chain(foreign.map(|(name, _)| name))
    {
        let path = at(name);
        let why = Journal::find(&path, None).map(drop).unwrap_err().to_string();
        assert!(why.contains(&path.display().to_string()), "{why}");
        let mut journal = Journal::begin(Some(&path), None, (&CraneLogic, "a crane"), &[]);
        journal.write(&Record::Parked { trouble: false });
        assert!(journal.file.is_none(), "{name}");
        journal.remove();
        forget(&path);
    }
    for (name, bytes) in foreign.into_iter().chain([("sound", &journal[..])]) {
        assert_eq!(std::fs::read(at(name)).unwrap(), bytes, "{name}");
    }
    for name in ["link", "link to ours"] {
        assert!(at(name).symlink_metadata().unwrap().is_symlink());
    }
    assert_eq!(huge.metadata().unwrap().len(), 3 << 30);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 9);
    // An empty file is nothing that can be lost.
    std::fs::write(at("empty"), "").unwrap();
    assert!(Journal::find(&at("empty"), None).unwrap().is_none());
    let mut journal = Journal::begin(Some(&at("empty")), None, (&CraneLogic, "a crane"), &[]);
    assert!(journal.file.is_some());
    journal.remove();
    assert!(!at("empty").exists());
    // Of another version, which this program cannot read, but may replace.
    let mut bytes = std::fs::read(at("sound")).unwrap();
    let length = usize::from(u16::from_le_bytes([bytes[0], bytes[1]]));
    bytes[3] += 1;
    let crc = crc32fast::hash(&bytes[..2 + length]);
    bytes[2 + length..6 + length].copy_from_slice(&crc.to_le_bytes());
    std::fs::write(at("sound"), bytes).unwrap();
    assert!(Journal::find(&at("sound"), None).unwrap().is_none());
    assert!(
        Journal::begin(Some(&at("sound")), None, (&CraneLogic, "a crane"), &[])
            .file
            .is_some()
    );
    forget(&at("sound"));
    assert!(!at("sound").exists());
}

#[test]
fn an_anonymous_journal_tells_the_same_but_for_the_run_and_the_name() {
    let (mut crc, mut bytes) = (0, Vec::new());
    let start = Record::Start {
        boot: Some("d5f3-0001".to_string()),
        kind: "crane".to_string(),
        machine: "Anna's crane".to_string(),
    };
    let parked = Record::Parked { trouble: true };
    for record in [&start, &Record::Told, &parked] {
        frame(record, &mut crc, &mut bytes);
    }
    let name = |name: &str| name.replace("Anna", "X");
    let told = anonymous(&bytes, &name).unwrap();
    let (before, after) = (Account::read(&bytes).unwrap(), Account::read(&told).unwrap());
    assert_eq!((after.boot.clone(), after.machine.as_str()), (None, "X's crane"));
    assert_eq!((after.told, after.parked, after.damaged), (true, Some(true), false));
    assert_eq!(before.boot.as_deref(), Some("d5f3-0001"));
    assert!(!String::from_utf8_lossy(&told).contains("d5f3"));
    assert!(anonymous(&bytes[1..], &name).is_none() && anonymous(b"", &name).is_none());
    // What is damaged ends it.
    let cut = anonymous(&bytes[..bytes.len() - 1], &name).unwrap();
    assert!(told.starts_with(&cut) && cut.len() < told.len());
}

#[test]
fn plans_and_steps_that_turn_nothing_do_not_wait_for_the_disk() {
    let (_, step, _) = turning();
    let aside = |kind| Record::Step(Step { kind, ..step });
    let (turns, motions, last) = (Vec::new(), Vec::new(), true);
    for record in [
        aside(StepKind::Back),
        aside(StepKind::Held),
        Record::Turns { turns, last },
        Record::Plan { motions, last },
    ] {
        assert!(!record.waits(&CraneLogic), "{record:?}");
    }
    for record in [Record::Step(step), Record::Told, Record::Parked { trouble: false }] {
        assert!(record.waits(&CraneLogic), "{record:?}");
    }
}

#[test]
fn a_machine_is_left_while_it_neither_homes_nor_rests() {
    let (mut account, step, _) = turning();
    for kind in [StepKind::Home, StepKind::Held, StepKind::Home, StepKind::Rest] {
        account.add(&Record::Step(Step { kind, ..step })).unwrap();
        assert_eq!(account.is_homing(), kind == StepKind::Home);
        assert_eq!(account.left().is_some(), kind == StepKind::Held);
    }
}

#[test]
fn what_a_file_tells_is_what_its_bytes_tell() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    assert_eq!(Account::at(&path).unwrap(), None);
    let (bytes, _) = job(2, 2);
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(Account::at(&path).unwrap(), Account::read(&bytes));
    // A machine of another kind has not written it.
    let found = Journal::find(&path, Some(&crate::tilter::TilterLogic))
        .unwrap()
        .unwrap();
    assert_eq!(found.account.logic.kind(), "crane");
}
