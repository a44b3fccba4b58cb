//! A webcam that is acted: its pictures are numbers, and what goes wrong is told to it.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::fs;
use std::rc::Rc;

use super::super::video::{FourCc, Given, Sizes};
use super::*;

const WIDTH: u32 = 160;
const HEIGHT: u32 = 120;
const ENODEV: i32 = 19;

/// What a driver does next instead of giving a good picture.
enum Event {
    Damaged,
    Short,
    Error(i32),
}

/// A device and what was done with it.
#[derive(Default)]
struct World {
    formats: Vec<(FourCc, Result<Vec<Sizes>, ()>)>,
    /// The format that the driver sets, whatever it is asked for.
    insists: Option<FourCc>,
    /// Widths for which the bus has no room.
    too_wide: Vec<u32>,
    controls: HashMap<u32, i64>,
    /// Pictures that wait in the driver's queue.
    waiting: usize,
    /// What happens in place of the next pictures.
    events: VecDeque<Event>,
    /// Pictures given so far.
    count: usize,
    /// How often it cannot be opened.
    gone: usize,
    set: Option<Given>,
    streams: usize,
}

type Shared = Rc<RefCell<World>>;

thread_local! {
    /// Devices by their path. Each test has its own folder.
    static DEVICES: RefCell<HashMap<PathBuf, Shared>> = RefCell::default();
}

struct Acted(Shared);

struct Acts {
    world: Shared,
    bytes: Vec<u8>,
}

fn errno(code: i32) -> io::Error {
    io::Error::from_raw_os_error(code)
}

impl Device for Acted {
    type Stream = Acts;

    fn open(path: &Path) -> io::Result<Self> {
        let world = DEVICES
            .with_borrow(|devices| devices.get(path).cloned())
            .ok_or(errno(2))?;
        let mut state = world.borrow_mut();
        if state.gone > 0 {
            state.gone -= 1;
            return Err(errno(ENODEV));
        }
        drop(state);
        Ok(Self(world))
    }

    fn formats(&self) -> Vec<FourCc> {
        self.0.borrow().formats.iter().map(|(format, _)| *format).collect()
    }

    fn sizes(&self, format: FourCc) -> io::Result<Vec<Sizes>> {
        let world = self.0.borrow();
        let (_, sizes) = world.formats.iter().find(|of| of.0 == format).ok_or(errno(22))?;
        sizes.clone().map_err(|()| errno(25))
    }

    fn set_format(&self, width: u32, height: u32, format: FourCc) -> io::Result<Given> {
        let mut world = self.0.borrow_mut();
        let format = world.insists.unwrap_or(format);
        let given = Given {
            width,
            height,
            format,
            stride: 0,
        };
        world.set = Some(given);
        Ok(given)
    }

    fn control(&self, id: u32) -> io::Result<i64> {
        self.0.borrow().controls.get(&id).copied().ok_or(errno(22))
    }

    fn set_control(&self, id: u32, value: i64) -> io::Result<()> {
        let mut world = self.0.borrow_mut();
        *world.controls.get_mut(&id).ok_or(errno(22))? = value;
        Ok(())
    }

    fn has_picture(&self) -> io::Result<bool> {
        Ok(self.0.borrow().waiting > 0)
    }

    fn stream(&self, _: u32, _: Duration) -> io::Result<Acts> {
        let mut world = self.0.borrow_mut();
        world.streams += 1;
        let width = world.set.map_or(0, |set| set.width);
        if world.too_wide.contains(&width) {
            return Err(errno(ENOSPC));
        }
        Ok(Acts {
            world: Rc::clone(&self.0),
            bytes: Vec::new(),
        })
    }
}

impl Pictures for Acts {
    fn next(&mut self) -> io::Result<(&[u8], bool)> {
        let mut world = self.world.borrow_mut();
        let set = world.set.ok_or(errno(22))?;
        world.waiting = world.waiting.saturating_sub(1);
        let event = world.events.pop_front();
        if let Some(Event::Error(code)) = event {
            return Err(errno(code));
        }
        world.count += 1;
        let mut length = 2 * (set.width * set.height) as usize;
        if let Some(Event::Short) = event {
            length -= 1;
        }
        // The first byte tells which picture it is.
        self.bytes = vec![128; length];
        self.bytes[0] = world.count as u8;
        Ok((&self.bytes, matches!(event, Some(Event::Damaged))))
    }
}

/// A folder with cameras in it, by their numbers, and what they do.
fn cameras<const N: usize>(worlds: [World; N]) -> (tempfile::TempDir, [Shared; N]) {
    let folder = tempfile::tempdir().unwrap();
    let mut number = 0;
    let shared = worlds.map(|world| {
        let path = folder.path().join(format!("video{number}"));
        number += 1;
        fs::write(&path, "").unwrap();
        let world = Rc::new(RefCell::new(world));
        DEVICES.with_borrow_mut(|devices| devices.insert(path, Rc::clone(&world)));
        world
    });
    (folder, shared)
}

/// A camera that gives small YUYV pictures.
fn usual() -> World {
    World {
        formats: vec![(*b"YUYV", Ok(vec![Sizes::One(WIDTH, HEIGHT)]))],
        ..World::default()
    }
}

fn open(folder: &tempfile::TempDir) -> Result<Streaming<Acted>, DeviceError> {
    Streaming::open(folder.path(), None)
}

fn message<T>(result: Result<T, DeviceError>) -> String {
    result.err().unwrap().to_string()
}

#[test]
fn the_first_camera_with_pictures_is_taken() {
    let metadata = World {
        formats: vec![(*b"META", Ok(Vec::new()))],
        ..World::default()
    };
    let (folder, [first, second, third]) = cameras([metadata, usual(), usual()]);
    let frame = open(&folder).unwrap().frame().unwrap();
    assert_eq!((frame.width, frame.height, frame.stride), (WIDTH, HEIGHT, 2 * WIDTH));
    let streams = [first, second, third].map(|world| world.borrow().streams);
    assert_eq!(streams, [0, 1, 0]);
}

#[test]
fn a_folder_without_cameras_and_one_whose_camera_does_not_open_are_told_apart() {
    let (folder, []) = cameras([]);
    let none = format!("no camera at {}/video*: ", folder.path().display());
    assert!(message(open(&folder)).starts_with(&none));
    let (folder, _worlds) = cameras([World { gone: 1, ..usual() }]);
    let gone = format!("no camera at {}/video0: ", folder.path().display());
    assert!(message(open(&folder)).starts_with(&gone));
}

#[test]
fn a_picture_is_newer_than_the_call_whatever_waits() {
    for waiting in 0..=BUFFERS as usize {
        let (folder, [world]) = cameras([usual()]);
        let mut camera = open(&folder).unwrap();
        let before = world.borrow().count;
        world.borrow_mut().waiting = waiting;
        let frame = camera.frame().unwrap();
        // Those that wait, then those that are under way.
        assert_eq!(usize::from(frame.data[0]), before + waiting + IN_FLIGHT + 1);
    }
}

#[test]
fn damaged_and_short_pictures_are_skipped_but_not_for_ever() {
    let (folder, [world]) = cameras([usual()]);
    let mut camera = open(&folder).unwrap();
    let bad = |count| (0..count).map(|i| if i % 2 == 0 { Event::Damaged } else { Event::Short });
    world.borrow_mut().events = bad(IN_FLIGHT + DAMAGED - 1).collect();
    let before = world.borrow().count;
    assert_eq!(
        usize::from(camera.frame().unwrap().data[0]),
        before + IN_FLIGHT + DAMAGED
    );
    world.borrow_mut().events = bad(IN_FLIGHT + DAMAGED).collect();
    assert!(message(camera.frame()).ends_with("8 damaged pictures in a row: try another cable, or no USB hub"));
}

#[test]
fn where_the_bus_has_no_room_a_smaller_format_is_taken() {
    let sizes = [(320, 240), (352, 288), (160, 120)].map(|(width, height)| Sizes::One(width, height));
    let both = World {
        formats: vec![(*b"YUYV", Ok(sizes.to_vec())), (*b"GREY", Ok(sizes.to_vec()))],
        too_wide: vec![320, 352],
        ..World::default()
    };
    let (folder, [world]) = cameras([both]);
    let mut camera = open(&folder).unwrap();
    assert_eq!(camera.frame().unwrap().width, 160);
    assert_eq!(world.borrow().streams, 3);
    drop(camera);
    world.borrow_mut().too_wide.push(160);
    assert!(message(open(&folder)).ends_with("plug it in without a hub"));
}

#[test]
fn sizes_that_are_a_range_or_are_not_told_are_tried_by_the_usual_ones() {
    for sizes in [Ok(vec![Sizes::Between(100..=340, 100..=260)]), Err(())] {
        let world = World {
            formats: vec![(*b"YUYV", sizes)],
            ..World::default()
        };
        let (folder, _worlds) = cameras([world]);
        assert_eq!(open(&folder).unwrap().frame().unwrap().width, 320);
    }
}

#[test]
fn a_driver_that_insists_on_an_unknown_format_is_named() {
    let (folder, _worlds) = cameras([World {
        insists: Some(*b"NV12"),
        ..usual()
    }]);
    assert!(message(open(&folder)).ends_with("it insists on the format NV12"));
}

#[test]
fn jpeg_that_the_driver_insists_on_is_taken_for_jpeg() {
    let (folder, [world]) = cameras([usual()]);
    world.borrow_mut().insists = Some(*b"JPEG");
    // These bytes are none.
    assert!(message(open(&folder)).contains("damaged pictures in a row"));
}

#[test]
fn a_camera_that_is_plugged_in_again_goes_on() {
    let (folder, [world]) = cameras([usual()]);
    let mut camera = open(&folder).unwrap();
    {
        let mut world = world.borrow_mut();
        world.gone = 1;
        world.events.push_back(Event::Error(ENODEV));
    }
    camera.frame().unwrap();
    assert_eq!(world.borrow().streams, 2);
}

#[test]
fn after_an_error_the_stream_is_begun_anew() {
    let (folder, [world]) = cameras([usual()]);
    let mut camera = open(&folder).unwrap();
    world.borrow_mut().events.push_back(Event::Error(5));
    assert!(message(camera.frame()).contains("(os error 5)"));
    camera.frame().unwrap();
    assert_eq!(world.borrow().streams, 2);
}

#[test]
fn what_was_changed_is_given_back_to_the_camera() {
    const MODE: u32 = 0x009a_0901;
    const TIME: u32 = 0x009a_0902;
    let own = HashMap::from([(MODE, 3), (TIME, 50), (0x0098_090c, 1), (0x0098_091a, 4000)]);
    let (folder, [world]) = cameras([World {
        controls: own.clone(),
        ..usual()
    }]);
    let mut camera = open(&folder).unwrap();
    // Exposure and white balance are locked.
    assert_eq!(world.borrow().controls[&MODE], 1);
    assert_eq!(world.borrow().controls[&0x0098_090c], 0);
    assert!(camera.expose(2).unwrap());
    assert_eq!(world.borrow().controls[&TIME], 200);
    assert!(camera.expose(-1).unwrap());
    assert_eq!(world.borrow().controls[&TIME], 25);
    assert!(camera.expose(0).unwrap());
    assert_eq!(world.borrow().controls[&TIME], 50);
    assert!(!camera.expose(0).unwrap());
    drop(camera);
    assert_eq!(world.borrow().controls, own);
}

#[test]
fn a_camera_without_controls_is_used_as_it_is() {
    let (folder, _worlds) = cameras([usual()]);
    let mut camera = open(&folder).unwrap();
    assert!(!camera.expose(1).unwrap());
    camera.frame().unwrap();
}

#[test]
fn cameras_are_listed_with_what_they_offer_and_what_would_be_taken() {
    let world = World {
        formats: vec![
            (*b"MJPG", Ok(vec![Sizes::One(640, 480)])),
            (*b"YUYV", Ok(vec![Sizes::One(640, 480), Sizes::One(320, 240)])),
        ],
        controls: HashMap::from([(0x0098_0900, 7)]),
        ..World::default()
    };
    let (folder, _worlds) = cameras([world, World::default()]);
    let listed = super::super::listed::list_in::<Acted>(folder.path());
    assert_eq!(listed.len(), 1);
    let camera = &listed[0];
    assert_eq!(
        camera.formats,
        [("MJPG", 640, 480), ("YUYV", 640, 480), ("YUYV", 320, 240)]
    );
    assert_eq!(camera.taken, Some(("YUYV", 320, 240)));
    assert_eq!(camera.controls, [("brightness", 7)]);
}

#[test]
fn a_picture_is_whole_with_all_its_lines_or_with_both_jpeg_marks() {
    assert!(is_whole(&[0; 12], PixelFormat::Yuyv, 4, 3));
    assert!(!is_whole(&[0; 11], PixelFormat::Yuyv, 4, 3));
    assert!(is_whole(&[0xff, 0xd8, 1, 0xff, 0xd9, 0, 0], PixelFormat::Jpeg, 0, 3));
    assert!(!is_whole(&[0xff, 0xd8, 1, 0xff], PixelFormat::Jpeg, 0, 3));
    assert!(!is_whole(&[], PixelFormat::Jpeg, 0, 3));
}
