//! The device by the kernel's own calls. What they take is described in `linux/videodev2.h`; a test compares it with the crate `v4l`.
//!
//! Times are those of a kernel before 5.6, which every later one takes, too: on a 32-bit computer of 32 bits.

use std::ffi::{c_int, c_long, c_ulong, c_void};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::ioctl::{Opcode, Setter, Updater, ioctl, opcode};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

use super::{Device, FourCc, Given, Pictures, Sizes};

/// Pictures come in, into memory that the driver has and that is mapped.
const CAPTURE: u32 = 1;
const MAPPED: u32 = 1;
/// What a filled buffer holds is damaged.
const ERROR: u32 = 0x40;
/// A size that is one, not a range.
const DISCRETE: u32 = 1;
/// Where listing stops if a driver never ends its list. No driver has so many formats or sizes.
const MOST: u32 = 1000;

#[repr(C)]
#[derive(Default)]
struct FormatDescription {
    index: u32,
    kind: u32,
    flags: u32,
    description: [u8; 32],
    format: FourCc,
    reserved: [u32; 4],
}

#[repr(C)]
#[derive(Default)]
struct FrameSize {
    index: u32,
    format: FourCc,
    kind: u32,
    /// Width and height; or least, greatest and step of both.
    size: [u32; 6],
    reserved: [u32; 2],
}

#[repr(C)]
struct PixelFormat {
    kind: u32,
    #[cfg(target_pointer_width = "64")]
    gap: u32,
    width: u32,
    height: u32,
    format: FourCc,
    field: u32,
    stride: u32,
    /// The rest of what kinds other than pictures need.
    rest: [u32; 45],
}

#[repr(C)]
#[derive(Default)]
struct Request {
    count: u32,
    kind: u32,
    memory: u32,
    reserved: [u32; 2],
}

#[repr(C)]
#[derive(Default)]
struct Buffer {
    index: u32,
    kind: u32,
    bytes_used: u32,
    flags: u32,
    field: u32,
    time: [c_long; 2],
    time_code: [u32; 4],
    sequence: u32,
    memory: u32,
    offset: c_ulong,
    length: u32,
    reserved: [u32; 2],
}

#[repr(C)]
#[derive(Default)]
struct Control {
    id: u32,
    value: i32,
}

const ENUMERATE_FORMATS: Opcode = opcode::read_write::<FormatDescription>(b'V', 2);
const SET_FORMAT: Opcode = opcode::read_write::<PixelFormat>(b'V', 5);
const REQUEST_BUFFERS: Opcode = opcode::read_write::<Request>(b'V', 8);
const QUERY_BUFFER: Opcode = opcode::read_write::<Buffer>(b'V', 9);
const QUEUE: Opcode = opcode::read_write::<Buffer>(b'V', 15);
const DEQUEUE: Opcode = opcode::read_write::<Buffer>(b'V', 17);
const STREAM_ON: Opcode = opcode::write::<c_int>(b'V', 18);
const STREAM_OFF: Opcode = opcode::write::<c_int>(b'V', 19);
const GET_CONTROL: Opcode = opcode::read_write::<Control>(b'V', 27);
const SET_CONTROL: Opcode = opcode::read_write::<Control>(b'V', 28);
const ENUMERATE_SIZES: Opcode = opcode::read_write::<FrameSize>(b'V', 74);

/// What the calls take: numbers and nothing else, so that whatever the kernel writes is valid.
///
/// # Safety
/// It is laid out as in C, has integers only, and none of them is an address that the kernel follows.
#[allow(unsafe_code)]
unsafe trait Plain {}

macro_rules! plain {
    ($($name:ident),*) => {
        // SAFETY: they are declared above: `repr(C)`, and integers only.
        $(#[allow(unsafe_code)] unsafe impl Plain for $name {})*
    };
}
plain!(FormatDescription, FrameSize, PixelFormat, Request, Buffer, Control);

/// A call that reads and writes a structure.
#[allow(unsafe_code)]
fn ask<const CODE: Opcode, T: Plain>(device: &File, value: &mut T) -> io::Result<()> {
    const {
        assert!(
            (CODE as usize >> 16) & 0x3fff == size_of::<T>(),
            "another structure's call"
        )
    };
    loop {
        // SAFETY: the call's number carries the structure's size, which was compared; of the structure any bits are valid.
        match unsafe { ioctl(device, Updater::<CODE, T>::new(value)) } {
            Err(Errno::INTR) => {}
            result => return Ok(result?),
        }
    }
}

#[allow(unsafe_code)]
fn switch<const CODE: Opcode>(device: &File) -> io::Result<()> {
    const { assert!(CODE == STREAM_ON || CODE == STREAM_OFF) };
    // SAFETY: both calls read an int.
    Ok(unsafe { ioctl(device, Setter::<CODE, c_int>::new(CAPTURE as c_int)) }?)
}

/// An open device.
pub(in super::super) struct Video(Arc<File>);

impl Device for Video {
    type Stream = Stream;

    fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::NONBLOCK.bits() as i32;
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(flags)
            .open(path)?;
        Ok(Self(Arc::new(file)))
    }

    fn formats(&self) -> Vec<FourCc> {
        let format = |index| {
            let mut format = FormatDescription {
                index,
                kind: CAPTURE,
                ..FormatDescription::default()
            };
            ask::<ENUMERATE_FORMATS, _>(&self.0, &mut format).ok()?;
            Some(format.format)
        };
        (0..MOST).map_while(format).collect()
    }

    fn sizes(&self, format: FourCc) -> io::Result<Vec<Sizes>> {
        let mut sizes = Vec::new();
        for index in 0..MOST {
            let mut size = FrameSize {
                index,
                format,
                ..FrameSize::default()
            };
            match ask::<ENUMERATE_SIZES, _>(&self.0, &mut size) {
                Ok(()) => sizes.push(sizes_of(&size)),
                Err(error) if index == 0 => return Err(error),
                Err(_) => break,
            }
        }
        Ok(sizes)
    }

    fn set_format(&self, width: u32, height: u32, format: FourCc) -> io::Result<Given> {
        let mut set = PixelFormat {
            kind: CAPTURE,
            #[cfg(target_pointer_width = "64")]
            gap: 0,
            width,
            height,
            format,
            field: 0,
            stride: 0,
            rest: [0; 45],
        };
        ask::<SET_FORMAT, _>(&self.0, &mut set)?;
        Ok(Given {
            width: set.width,
            height: set.height,
            format: set.format,
            stride: set.stride,
        })
    }

    fn control(&self, id: u32) -> io::Result<i64> {
        let mut control = Control { id, value: 0 };
        ask::<GET_CONTROL, _>(&self.0, &mut control)?;
        Ok(i64::from(control.value))
    }

    fn set_control(&self, id: u32, value: i64) -> io::Result<()> {
        let value = i32::try_from(value).map_err(|_| io::ErrorKind::InvalidInput)?;
        ask::<SET_CONTROL, _>(&self.0, &mut Control { id, value })
    }

    fn has_picture(&self) -> io::Result<bool> {
        waits(&self.0, Duration::ZERO)
    }

    fn stream(&self, buffers: u32, patience: Duration) -> io::Result<Stream> {
        let mut request = Request {
            count: buffers,
            kind: CAPTURE,
            memory: MAPPED,
            ..Request::default()
        };
        ask::<REQUEST_BUFFERS, _>(&self.0, &mut request)?;
        let mut stream = Stream {
            device: Arc::clone(&self.0),
            maps: Vec::new(),
            given: None,
            patience,
        };
        for index in 0..request.count {
            let mut buffer = buffer(index);
            ask::<QUERY_BUFFER, _>(&self.0, &mut buffer)?;
            stream.maps.push(Map::new(&self.0, &buffer)?);
        }
        for index in 0..request.count {
            ask::<QUEUE, _>(&self.0, &mut self::buffer(index))?;
        }
        switch::<STREAM_ON>(&self.0)?;
        Ok(stream)
    }
}

fn sizes_of(size: &FrameSize) -> Sizes {
    let [first, second, _, least, greatest, _] = size.size;
    if size.kind == DISCRETE {
        Sizes::One(first, second)
    } else {
        Sizes::Between(first..=second, least..=greatest)
    }
}

fn buffer(index: u32) -> Buffer {
    Buffer {
        index,
        kind: CAPTURE,
        memory: MAPPED,
        ..Buffer::default()
    }
}

/// Whether a filled buffer waits, now or within `patience`. A device that is gone says so when it is asked for the buffer.
fn waits(device: &File, patience: Duration) -> io::Result<bool> {
    let until = Instant::now() + patience;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let left = Timespec {
            tv_sec: left.as_secs() as _,
            tv_nsec: left.subsec_nanos() as _,
        };
        match poll(&mut [PollFd::new(device, PollFlags::IN)], Some(&left)) {
            Err(Errno::INTR) => {}
            result => return Ok(result? > 0),
        }
    }
}

/// A buffer's memory, mapped.
struct Map {
    start: *mut c_void,
    length: usize,
}

impl Map {
    #[allow(unsafe_code)]
    fn new(device: &File, buffer: &Buffer) -> io::Result<Self> {
        let (length, offset) = (buffer.length as usize, u64::from(buffer.offset as u32));
        // SAFETY: a new map, at a place that the kernel chooses.
        let start = unsafe {
            mmap(
                std::ptr::null_mut(),
                length,
                ProtFlags::READ,
                MapFlags::SHARED,
                device,
                offset,
            )
        }?;
        Ok(Self { start, length })
    }

    #[allow(unsafe_code)]
    fn bytes(&self) -> &[u8] {
        // SAFETY: it is mapped as long as this value lives. The driver writes into it only while the buffer is queued, and it is queued again
        // by `Stream::next`, which nobody can call while this borrow of the stream lasts.
        unsafe { std::slice::from_raw_parts(self.start.cast(), self.length) }
    }
}

impl Drop for Map {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // SAFETY: it was mapped with this length, and nobody has its bytes any more.
        let _ = unsafe { munmap(self.start, self.length) };
    }
}

/// Its pictures.
pub(in super::super) struct Stream {
    device: Arc<File>,
    maps: Vec<Map>,
    /// The buffer that was given last, and is not queued.
    given: Option<u32>,
    patience: Duration,
}

// A map's address means the same to all threads.
#[allow(unsafe_code)]
// SAFETY: a map belongs to one stream, and is read through it alone.
unsafe impl Send for Map {}

impl Pictures for Stream {
    fn next(&mut self) -> io::Result<(&[u8], bool)> {
        if let Some(index) = self.given.take() {
            ask::<QUEUE, _>(&self.device, &mut buffer(index))?;
        }
        if !waits(&self.device, self.patience)? {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let mut filled = buffer(0);
        ask::<DEQUEUE, _>(&self.device, &mut filled)?;
        self.given = Some(filled.index);
        let map = self.maps.get(filled.index as usize).ok_or(io::ErrorKind::InvalidData)?;
        let bytes = map.bytes();
        Ok((
            bytes.get(..filled.bytes_used as usize).unwrap_or(bytes),
            filled.flags & ERROR != 0,
        ))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // The device may be gone. The driver takes its buffers back once none is mapped.
        let _ = switch::<STREAM_OFF>(&self.device);
        self.maps.clear();
        let mut none = Request {
            kind: CAPTURE,
            memory: MAPPED,
            ..Request::default()
        };
        let _ = ask::<REQUEST_BUFFERS, _>(&self.device, &mut none);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_sizes_is_no_size() {
        let size = |kind| {
            sizes_of(&FrameSize {
                kind,
                size: [160, 640, 16, 120, 480, 8],
                ..FrameSize::default()
            })
        };
        assert_eq!(size(1), Sizes::One(160, 640));
        assert_eq!(size(2), Sizes::Between(160..=640, 120..=480));
        assert_eq!(size(3), size(2));
    }

    #[test]
    fn what_is_no_camera_refuses_every_call() {
        let video = Video::open(Path::new("/dev/null")).unwrap();
        assert_eq!(video.formats(), [[0; 4]; 0]);
        let refused = |result: io::Result<()>| {
            // ENOTTY; an emulated kernel that does not know the call says ENOSYS.
            let code = result.unwrap_err().raw_os_error();
            assert!(matches!(code, Some(25 | 38)), "{code:?}");
        };
        refused(video.sizes(*b"YUYV").map(drop));
        refused(video.set_format(320, 240, *b"YUYV").map(drop));
        refused(video.control(0x0098_0900).map(drop));
        refused(video.set_control(0x0098_0900, 1));
        refused(video.stream(3, Duration::ZERO).map(drop));
    }

    /// Every structure has its size and its members where the kernel's headers have them, and every call its number.
    #[test]
    fn structures_and_calls_are_those_of_the_kernels_headers() {
        use std::mem::offset_of as at;
        use v4l::v4l_sys as sys;
        use v4l::v4l2::vidioc;

        assert_eq!(size_of::<FormatDescription>(), size_of::<sys::v4l2_fmtdesc>());
        assert_eq!(at!(FormatDescription, format), at!(sys::v4l2_fmtdesc, pixelformat));
        assert_eq!(at!(FormatDescription, kind), at!(sys::v4l2_fmtdesc, type_));
        assert_eq!(size_of::<FrameSize>(), size_of::<sys::v4l2_frmsizeenum>());
        assert_eq!(at!(FrameSize, size), at!(sys::v4l2_frmsizeenum, __bindgen_anon_1));
        assert_eq!(at!(FrameSize, kind), at!(sys::v4l2_frmsizeenum, type_));
        assert_eq!(at!(sys::v4l2_frmsize_stepwise, min_height), 12);
        assert_eq!(size_of::<PixelFormat>(), size_of::<sys::v4l2_format>());
        let picture = at!(sys::v4l2_format, fmt);
        assert_eq!(at!(PixelFormat, width), picture + at!(sys::v4l2_pix_format, width));
        assert_eq!(
            at!(PixelFormat, format),
            picture + at!(sys::v4l2_pix_format, pixelformat)
        );
        assert_eq!(
            at!(PixelFormat, stride),
            picture + at!(sys::v4l2_pix_format, bytesperline)
        );
        assert_eq!(size_of::<Request>(), size_of::<sys::v4l2_requestbuffers>());
        assert_eq!(at!(Request, memory), at!(sys::v4l2_requestbuffers, memory));
        assert_eq!(size_of::<Buffer>(), size_of::<sys::v4l2_buffer>());
        assert_eq!(at!(Buffer, bytes_used), at!(sys::v4l2_buffer, bytesused));
        assert_eq!(at!(Buffer, flags), at!(sys::v4l2_buffer, flags));
        assert_eq!(at!(Buffer, memory), at!(sys::v4l2_buffer, memory));
        assert_eq!(at!(Buffer, offset), at!(sys::v4l2_buffer, m));
        assert_eq!(at!(Buffer, length), at!(sys::v4l2_buffer, length));
        assert_eq!(size_of::<Control>(), size_of::<sys::v4l2_control>());
        assert_eq!(
            [CAPTURE, MAPPED, ERROR, DISCRETE],
            [
                sys::v4l2_buf_type_V4L2_BUF_TYPE_VIDEO_CAPTURE,
                sys::v4l2_memory_V4L2_MEMORY_MMAP,
                sys::V4L2_BUF_FLAG_ERROR,
                sys::v4l2_frmsizetypes_V4L2_FRMSIZE_TYPE_DISCRETE
            ]
        );
        let calls = [
            (ENUMERATE_FORMATS, vidioc::VIDIOC_ENUM_FMT),
            (SET_FORMAT, vidioc::VIDIOC_S_FMT),
            (REQUEST_BUFFERS, vidioc::VIDIOC_REQBUFS),
            (QUERY_BUFFER, vidioc::VIDIOC_QUERYBUF),
            (QUEUE, vidioc::VIDIOC_QBUF),
            (DEQUEUE, vidioc::VIDIOC_DQBUF),
            (STREAM_ON, vidioc::VIDIOC_STREAMON),
            (STREAM_OFF, vidioc::VIDIOC_STREAMOFF),
            (GET_CONTROL, vidioc::VIDIOC_G_CTRL),
            (SET_CONTROL, vidioc::VIDIOC_S_CTRL),
            (ENUMERATE_SIZES, vidioc::VIDIOC_ENUM_FRAMESIZES),
        ];
        for (own, theirs) in calls {
            // `v4l` has them as an int where musl has.
            assert_eq!(own, theirs as Opcode);
        }
    }
}
