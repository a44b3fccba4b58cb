//! The stream of a webcam: the format that is taken, pictures that are whole and new, a camera that goes and comes back.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::exposure::Exposure;
use super::lock::{Lock, Look, Rig};
use super::offers::{Kind, Offer, ranked};
use super::place::find;
use super::trouble::{ENOSPC, PATIENCE, explain, failed, missing, trouble};
use super::video::{Device, Pictures};
use crate::brick::{Camera, DeviceError};
use crate::picture::{Frame, Picture, PixelFormat};

/// Buffers that the driver fills in turn; few, because each holds a whole picture in the brick's memory.
const BUFFERS: u32 = 3;

/// Pictures thrown away after opening: the first ones are stale, or taken before exposure and white balance have settled.
const SETTLING: usize = 10;

/// Pictures thrown away after a control was changed, before its effect is looked at.
const TAKING_EFFECT: usize = 4;

/// Pictures thrown away before each that is given. When a picture is asked for, one is already in transfer. Another may be under
/// exposure, because a rolling shutter exposes one picture while it reads the one before.
const IN_FLIGHT: usize = 2;

/// How many damaged pictures in a row are skipped.
const DAMAGED: usize = 8;

/// How long a camera that has gone may take to come back.
const ABSENCE: Duration = Duration::from_secs(8);

/// A webcam that streams all the time, so that its exposure stays settled.
pub(super) struct Streaming<D: Device> {
    /// The folder where cameras are.
    folder: PathBuf,
    /// The path that was asked for.
    asked: Option<PathBuf>,
    place: String,
    device: D,
    /// None after an error: the driver and this program may then disagree on who holds which buffer.
    stream: Option<D::Stream>,
    width: u32,
    height: u32,
    stride: u32,
    format: PixelFormat,
    exposure: Exposure,
    lock: Lock,
}

impl<D: Device> Streaming<D> {
    /// Opens the camera at a path like `/dev/video0`, or the first one that takes pictures, in the format that suits the brick
    /// best, lets its exposure and white balance settle, and locks them where it can: half a second to two.
    ///
    /// # Errors
    /// [`DeviceError::Missing`] if there is none; [`DeviceError::Failed`] with the system's words if it is busy, not permitted, or
    /// gives neither YUYV nor JPEG.
    pub(super) fn open(folder: &Path, asked: Option<&Path>) -> Result<Self, DeviceError> {
        let (path, device, offers) = find::<D>(folder, asked)?;
        let mut camera = Self {
            folder: folder.to_owned(),
            asked: asked.map(Path::to_owned),
            place: path.display().to_string(),
            device,
            stream: None,
            width: 0,
            height: 0,
            stride: 0,
            format: PixelFormat::Yuyv,
            exposure: Exposure::default(),
            lock: Lock::default(),
        };
        camera.start_as_offered(&offers)?;
        let mut lock = Lock::default();
        let locked = lock.take(&mut camera);
        camera.lock = lock;
        locked?;
        Ok(camera)
    }

    /// Starts in the best format for which there is room on the bus.
    fn start_as_offered(&mut self, offers: &[Offer]) -> Result<(), DeviceError> {
        let mut last = failed(
            &self.place,
            "it gives neither YUYV nor JPEG pictures of 160x120 or more".to_owned(),
        );
        for offer in ranked(offers) {
            self.set_format(offer)?;
            match self.start() {
                Ok(()) => {
                    let kind = if self.format == PixelFormat::Jpeg {
                        Kind::Jpeg
                    } else {
                        Kind::Yuyv
                    };
                    log::info!("camera {}: {} {}x{}", self.place, kind.name(), self.width, self.height);
                    return Ok(());
                }
                Err(error) if error.raw_os_error() == Some(ENOSPC) => {
                    log::debug!("camera {}: no bandwidth for {offer:?}", self.place);
                    self.stream = None;
                    last = trouble(&self.place, &error);
                }
                Err(error) => return Err(trouble(&self.place, &error)),
            }
        }
        Err(last)
    }

    fn set_format(&mut self, wanted: Offer) -> Result<(), DeviceError> {
        let given = self
            .device
            .set_format(wanted.width, wanted.height, wanted.kind.fourcc())
            .map_err(|error| failed(&self.place, explain(&error)))?;
        // The driver may have changed anything.
        let kind = Kind::of(given.format).ok_or_else(|| {
            let name = String::from_utf8_lossy(&given.format);
            failed(&self.place, format!("it insists on the format {name}"))
        })?;
        self.width = given.width;
        self.height = given.height;
        self.stride = match kind {
            Kind::Yuyv => given.stride.max(2 * given.width),
            Kind::Jpeg => 0,
        };
        self.format = kind.pixel_format();
        Ok(())
    }

    /// Starts to stream, and waits until exposure and white balance have settled.
    fn start(&mut self) -> io::Result<()> {
        let mut stream = self.device.stream(BUFFERS, PATIENCE)?;
        for _ in 0..SETTLING {
            stream.next()?;
        }
        self.stream = Some(stream);
        Ok(())
    }

    /// Waits for a camera that has gone, and opens it again.
    fn come_back(&mut self) -> Result<(), DeviceError> {
        log::warn!("the camera has gone: plug it in again");
        let (folder, asked) = (self.folder.clone(), self.asked.clone());
        let gone = Instant::now();
        loop {
            std::thread::sleep(Duration::from_millis(500));
            match Self::open(&folder, asked.as_deref()) {
                Ok(camera) => {
                    *self = camera;
                    return Ok(());
                }
                Err(error) if gone.elapsed() > ABSENCE => return Err(error),
                Err(_) => {}
            }
        }
    }

    /// Waits for the next picture, whole or not, and looks at its bytes and what the driver says about it.
    fn next<T>(&mut self, look: impl FnOnce(&[u8], bool) -> T) -> Result<T, DeviceError> {
        if self.stream.is_none() {
            self.start().map_err(|error| trouble(&self.place, &error))?;
        }
        let Some(stream) = &mut self.stream else {
            return Err(missing(&self.place));
        };
        match stream.next() {
            Ok((bytes, is_damaged)) => Ok(look(bytes, is_damaged)),
            Err(error) => {
                self.stream = None;
                Err(trouble(&self.place, &error))
            }
        }
    }

    /// Throws away all pictures that wait in the driver's queue.
    fn drain(&mut self) -> Result<(), DeviceError> {
        for _ in 0..=BUFFERS {
            match self.device.has_picture() {
                Ok(false) => break,
                Ok(true) => self.next(|_, _| ())?,
                Err(error) => return Err(trouble(&self.place, &error)),
            }
        }
        Ok(())
    }

    /// A picture that was exposed after this call.
    fn take(&mut self) -> Result<Frame, DeviceError> {
        self.drain()?;
        for _ in 0..IN_FLIGHT {
            self.next(|_, _| ())?;
        }
        let (format, stride, height) = (self.format, self.stride, self.height);
        for _ in 0..DAMAGED {
            let data = self.next(|bytes, is_damaged| {
                let is_good = !is_damaged && is_whole(bytes, format, stride, height);
                is_good.then(|| bytes.to_vec())
            })?;
            if let Some(data) = data {
                return Ok(Frame {
                    width: self.width,
                    height,
                    stride,
                    format,
                    data,
                });
            }
            log::debug!("camera {}: a damaged picture", self.place);
        }
        Err(failed(
            &self.place,
            format!("{DAMAGED} damaged pictures in a row: try another cable, or no USB hub"),
        ))
    }
}

impl<D: Device> Drop for Streaming<D> {
    fn drop(&mut self) {
        // The camera would keep it for the next program.
        self.exposure.leave(&self.device);
        self.lock.leave(|id, value| self.device.set_control(id, value));
    }
}

impl<D: Device> Rig for Streaming<D> {
    fn get(&self, id: u32) -> io::Result<i64> {
        self.device.control(id)
    }

    fn set(&self, id: u32, value: i64) -> io::Result<()> {
        self.device.set_control(id, value)
    }

    fn look(&mut self) -> Result<Look, DeviceError> {
        for _ in 0..TAKING_EFFECT {
            self.next(|_, _| ())?;
        }
        let frame = self.take()?;
        let picture = Picture::decode(&frame).map_err(|error| failed(&self.place, error.to_string()))?;
        Ok(Look::at(&picture))
    }
}

impl<D: Device> Camera for Streaming<D> {
    fn expose(&mut self, stops: i8) -> Result<bool, DeviceError> {
        let can = if stops == 0 {
            self.exposure.leave(&self.device)
        } else {
            let set = self.exposure.set(&self.device, stops);
            if let Err(why) = &set {
                log::debug!("camera {}: its exposure cannot be set: {why}", self.place);
                self.exposure.leave(&self.device);
            }
            set.is_ok()
        };
        if can {
            // White balance follows the exposure.
            for _ in 0..SETTLING {
                self.next(|_, _| ())?;
            }
        }
        Ok(can)
    }

    fn frame(&mut self) -> Result<Frame, DeviceError> {
        match self.take() {
            Err(DeviceError::Missing { .. }) => {
                self.come_back()?;
                self.take()
            }
            result => result,
        }
    }
}

/// Whether the bytes are a complete picture.
fn is_whole(bytes: &[u8], format: PixelFormat, stride: u32, height: u32) -> bool {
    match format {
        // Begins and ends as a JPEG does; what follows the end is padding.
        PixelFormat::Jpeg => {
            bytes.starts_with(&[0xff, 0xd8]) && bytes.windows(2).rev().any(|pair| pair == [0xff, 0xd9])
        }
        PixelFormat::Yuyv | PixelFormat::Rgb8 => bytes.len() >= stride as usize * height as usize,
    }
}

#[cfg(test)]
mod tests;
