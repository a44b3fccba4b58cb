//! The device by the crate `v4l`.

use std::io;
use std::path::Path;
use std::time::Duration;

use v4l::buffer::{Flags, Type};
use v4l::control::{Control, Value};
use v4l::format::{Format, FourCC};
use v4l::framesize::FrameSizeEnum;
use v4l::io::traits::CaptureStream;
use v4l::video::Capture;

use super::{Device, FourCc, Given, Pictures, Sizes};

/// The event that a filled buffer waits (`poll.h`).
const POLLIN: i16 = 1;

/// An open device.
pub(in super::super) struct Video(v4l::Device);

impl Device for Video {
    type Stream = Stream;

    fn open(path: &Path) -> io::Result<Self> {
        v4l::Device::with_path(path).map(Self)
    }

    fn formats(&self) -> Vec<FourCc> {
        let formats = self.0.enum_formats().unwrap_or_default();
        formats.into_iter().map(|format| format.fourcc.repr).collect()
    }

    fn sizes(&self, format: FourCc) -> io::Result<Vec<Sizes>> {
        let sizes = self.0.enum_framesizes(FourCC::new(&format))?;
        Ok(sizes
            .into_iter()
            .map(|size| match size.size {
                FrameSizeEnum::Discrete(size) => Sizes::One(size.width, size.height),
                FrameSizeEnum::Stepwise(range) => {
                    Sizes::Between(range.min_width..=range.max_width, range.min_height..=range.max_height)
                }
            })
            .collect())
    }

    fn set_format(&self, width: u32, height: u32, format: FourCc) -> io::Result<Given> {
        let given = self.0.set_format(&Format::new(width, height, FourCC::new(&format)))?;
        Ok(Given {
            width: given.width,
            height: given.height,
            format: given.fourcc.repr,
            stride: given.stride,
        })
    }

    fn control(&self, id: u32) -> io::Result<i64> {
        match self.0.control(id)?.value {
            Value::Integer(value) => Ok(value),
            Value::Boolean(value) => Ok(i64::from(value)),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn set_control(&self, id: u32, value: i64) -> io::Result<()> {
        let value = Value::Integer(value);
        self.0.set_control(Control { id, value })
    }

    fn has_picture(&self) -> io::Result<bool> {
        self.0.handle().poll(POLLIN, 0).map(|events| events != 0)
    }

    fn stream(&self, buffers: u32, patience: Duration) -> io::Result<Stream> {
        let mut stream = v4l::io::mmap::Stream::with_buffers(&self.0, Type::VideoCapture, buffers)?;
        stream.set_timeout(patience);
        Ok(Stream(stream))
    }
}

/// Its pictures.
pub(in super::super) struct Stream(v4l::io::mmap::Stream<'static>);

impl Pictures for Stream {
    fn next(&mut self) -> io::Result<(&[u8], bool)> {
        let (buffer, about) = self.0.next()?;
        let bytes = buffer.get(..about.bytesused as usize).unwrap_or(buffer);
        Ok((bytes, about.flags.contains(Flags::ERROR)))
    }
}
