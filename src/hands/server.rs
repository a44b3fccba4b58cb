//! The second brick's socket.

use std::io::ErrorKind;
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::HandsError;
use super::message::LONGEST;
use super::receiver::{Lent, Receiver};
use super::record::{Begun, Record};
use super::seal::Token;

/// How often it is looked whether the master is silent or the program is to end, at least.
const LOOK: Duration = Duration::from_millis(20);

/// A brick that is ready to lend its motors.
#[derive(Debug)]
pub struct Server {
    socket: UdpSocket,
    record: Record,
    begun: Option<Begun>,
}

impl Server {
    /// Listens at an address, like `0.0.0.0:8733`; port 0 takes one that is free. `record` is the file where the last command is written.
    ///
    /// # Errors
    /// If the address cannot be had, or the file is another program's, is not ours, or cannot be written.
    pub fn listen(address: &str, record: &Path) -> Result<Server, HandsError> {
        let opened = Record::open(record).map_err(|why| HandsError::locking(record, why));
        let socket = UdpSocket::bind(address).map_err(|why| HandsError::Listen {
            address: address.to_string(),
            why,
        })?;
        let (record, begun) = opened?;
        Ok(Server { socket, record, begun })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// What the system says.
    pub fn address(&self) -> Result<SocketAddr, HandsError> {
        self.socket.local_addr().map_err(HandsError::Socket)
    }

    /// Lends a brick's devices to one master after the other that knows the token, until `stop` becomes true. However it ends, motors that
    /// run are stopped and hold.
    ///
    /// # Errors
    /// If the socket breaks.
    pub fn lend(self, lent: Lent, token: Token, stop: &AtomicBool) -> Result<(), HandsError> {
        let mut receiver = Receiver::new(lent, token, self.record, self.begun).map_err(HandsError::Socket)?;
        self.socket.set_read_timeout(Some(LOOK)).map_err(HandsError::Socket)?;
        // With a byte more, so that what is too long is seen to be.
        let mut bytes = [0; LONGEST + 1];
        while !stop.load(Relaxed) {
            let heard = self.socket.recv_from(&mut bytes);
            let now = Instant::now();
            match heard {
                Ok((count, from)) if count <= LONGEST => {
                    if let Some(answer) = receiver.hear(from, &bytes[..count], now) {
                        // One that is lost is asked for again.
                        let _ = self.socket.send_to(&answer, from);
                    }
                }
                Ok(_) => {}
                Err(why) if matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(why) if why.kind() == ErrorKind::Interrupted => {}
                Err(why) => {
                    log::debug!("{why}");
                    std::thread::sleep(LOOK);
                }
            }
            receiver.watch(now);
        }
        Ok(())
    }
}
