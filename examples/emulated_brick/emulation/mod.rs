//! An EV3 under ev3dev that is not there: `/sys/class` and the parts of `/dev` that the program opens, served by FUSE over a simulated
//! machine, as the kernel's drivers would serve them. A program that is started in it is driven through the unmodified ev3dev-lang-rust.
//!
//! `crane` is the simulated machine and its time, `motor` the law of the tacho-motor class, `sensor` that of the
//! lego-sensor class, `files` what there is to read and write,
//! `tree` the file system, and this file puts them together and starts a program in them.
//!
//! Not emulated: `run-timed`, `run-direct`, ramped stops, notifications of changed attributes, and the ioctls of the framebuffer.

mod crane;
mod files;
mod motor;
pub mod sensor;
mod tree;

use std::error::Error;
use std::ffi::OsStr;
use std::fs::Permissions;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use fuser::BackgroundSession;
use rustix::mount::UnmountFlags;

pub use crane::{Crane, End, Robot, Setup};

/// Puts the served folders in the place of the system's, in a mount namespace of its own, and becomes the program. Of the system's devices
/// it gets those that are listed here.
const ENTER: &str = r#"set -e
for device in null zero urandom tty video0; do
    if [ -e /dev/$device ]; then mount --bind /dev/$device "$0/dev/$device"; fi
done
mount --bind "$0/class" /sys/class
# Each brick has locks of its own, as after it was switched on; all that runs on it finds the same.
mkdir -p /run/lock
mount --bind "$1" /run/lock
shift
mount --rbind "$0/dev" /dev
exec "$@""#;

/// A mounted brick; it ends with this value.
pub struct Emulation {
    crane: Crane,
    mount: BackgroundSession,
    folder: tempfile::TempDir,
    locks: tempfile::TempDir,
}

impl Emulation {
    /// Builds and mounts a brick. This takes root, and `/dev/fuse`.
    pub fn start(setup: Setup) -> Result<Emulation, Box<dyn Error>> {
        let crane = Crane::start(setup)?;
        let folder = tempfile::tempdir()?;
        let locks = tempfile::tempdir()?;
        // As the system makes it.
        std::fs::set_permissions(locks.path(), Permissions::from_mode(0o1777))?;
        let mut config = fuser::Config::default();
        config.mount_options = vec![fuser::MountOption::FSName("emulated-brick".to_string())];
        config.acl = fuser::SessionACL::All;
        let mount = fuser::spawn_mount(tree::Tree::new(crane.clone()), folder.path(), &config)?;
        Ok(Emulation {
            crane,
            mount,
            folder,
            locks,
        })
    }

    /// Where it is mounted.
    #[allow(dead_code)] // Only the test looks at the files themselves.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The crane in the brick.
    pub fn crane(&self) -> &Crane {
        &self.crane
    }

    /// A command that runs a program on the brick.
    pub fn command(&self, program: &OsStr) -> Command {
        let mut command = Command::new("unshare");
        command
            .args(["-m", "sh", "-c", ENTER])
            .arg(self.folder.path())
            .arg(self.locks.path())
            .arg(program);
        command
    }

    /// Waits until all motions are over, and tells how the machine stands then.
    pub fn end(self) -> Result<End, Box<dyn Error>> {
        let end = self.crane.end()?;
        // Detached, as the mount may be busy: a program that another thread starts has our open files until it has begun.
        rustix::mount::unmount(self.folder.path(), UnmountFlags::DETACH)?;
        match self.mount.join() {
            // The mount is gone. A file was just closed: the kernel drops what it was handing over, and says that instead.
            Err(error) if error.kind() == ErrorKind::ConnectionAborted => Ok(end),
            ended => Ok(ended.map(|()| end)?),
        }
    }
}
