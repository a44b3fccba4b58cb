//! A webcam that looks at the simulated cube: frames of the renderer, written to a v4l2loopback device.

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use cranecuber::picture::PixelFormat;
use cranecuber::sim::{Eye, Renderer, Scene, View};
use v4l::video::Output;
use v4l::{Device, Format, FourCC};

use super::emulation::Crane;

/// Time from one frame to the next.
const PERIOD: Duration = Duration::from_millis(100);

/// The open device.
pub struct Webcam {
    /// The device keeps its format while this is open.
    _device: Device,
    output: File,
    renderer: Renderer,
}

impl Webcam {
    /// Makes a camera of a loopback device, which gives YUYV pictures of this size.
    pub fn open(path: &Path, pixels: [u32; 2], seed: u64) -> Result<Webcam, Box<dyn Error>> {
        let device = Device::with_path(path)?;
        let wanted = Format::new(pixels[0], pixels[1], FourCC::new(b"YUYV"));
        let given = Output::set_format(&device, &wanted)?;
        if (given.width, given.height, given.fourcc) != (wanted.width, wanted.height, wanted.fourcc) {
            return Err(format!("{} insists on {given}", path.display()).into());
        }
        let scene = Scene {
            pixels,
            format: PixelFormat::Yuyv,
            ..Scene::classroom(seed)
        };
        Ok(Webcam {
            _device: device,
            output: OpenOptions::new().write(true).open(path)?,
            renderer: Renderer::new(scene, seed),
        })
    }

    /// Shows what there is to see from now on, on a thread of its own; returns once there are pictures.
    pub fn show(mut self, crane: Crane) -> io::Result<()> {
        let mut shown = self.draw(&crane, None)?;
        std::thread::spawn(move || {
            loop {
                let begun = Instant::now();
                match self.draw(&crane, Some(shown)) {
                    Ok(now) => shown = now,
                    Err(why) => return eprintln!("emulated_brick: the camera has stopped: {why}"),
                }
                std::thread::sleep(PERIOD.saturating_sub(begun.elapsed()));
            }
        });
        Ok(())
    }

    /// Writes a frame: the one before if nothing has changed.
    fn draw(&mut self, crane: &Crane, shown: Option<(View, Vec<u8>)>) -> io::Result<(View, Vec<u8>)> {
        let view = crane.view()?;
        let drawn = match shown {
            Some((before, frame)) if before == view => (view, frame),
            _ => {
                let frame = self.renderer.look(&view).map_err(io::Error::other)?;
                (view, frame.data)
            }
        };
        self.output.write_all(&drawn.1)?;
        Ok(drawn)
    }
}
