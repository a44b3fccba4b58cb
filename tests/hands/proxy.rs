//! A bad network: loses, repeats, delays and reorders datagrams, and cuts the connection from time to time.

use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A network between a master and the receiver at an address.
pub struct Proxy {
    pub address: String,
    pub counts: Arc<Counts>,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// What it has done to datagrams.
#[derive(Debug, Default)]
pub struct Counts {
    pub seen: AtomicU32,
    pub lost: AtomicU32,
    pub repeated: AtomicU32,
    /// Arrived after one that was sent later.
    pub overtaken: AtomicU32,
    pub cuts: AtomicU32,
}

impl Proxy {
    pub fn begin(receiver: &str, seed: u64) -> Proxy {
        let front = UdpSocket::bind("127.0.0.1:0").unwrap();
        let address = front.local_addr().unwrap().to_string();
        let (counts, ends) = (Arc::<Counts>::default(), Arc::<AtomicBool>::default());
        let mut network = Network {
            back: back(receiver),
            front,
            receiver: receiver.to_string(),
            master: None,
            under_way: Vec::new(),
            newest: [0; 2],
            sent: 0,
            counts: counts.clone(),
            rng: ChaCha8Rng::seed_from_u64(seed),
        };
        let end = ends.clone();
        let thread = std::thread::spawn(move || network.run(&end));
        Proxy {
            address,
            counts,
            ends,
            thread: Some(thread),
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.ends.store(true, Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn back(receiver: &str) -> UdpSocket {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(receiver).unwrap();
    socket.set_nonblocking(true).unwrap();
    socket
}

struct Network {
    front: UdpSocket,
    back: UdpSocket,
    receiver: String,
    master: Option<SocketAddr>,
    /// When they arrive, whether at the receiver, which number they have, and their bytes.
    under_way: Vec<(Instant, bool, u64, Vec<u8>)>,
    /// The highest number that has arrived, at each end.
    newest: [u64; 2],
    sent: u64,
    counts: Arc<Counts>,
    rng: ChaCha8Rng,
}

impl Network {
    fn run(&mut self, end: &AtomicBool) {
        self.front.set_nonblocking(true).unwrap();
        let mut bytes = [0; 2000];
        let mut cut = Instant::now() + Duration::from_secs(3);
        while !end.load(Relaxed) {
            if Instant::now() > cut {
                // Nothing passes, and then all comes from somewhere else.
                let time = Duration::from_millis(self.rng.random_range(50..400));
                std::thread::sleep(time);
                self.counts.cuts.fetch_add(1, Relaxed);
                self.under_way.clear();
                while self.front.recv_from(&mut bytes).is_ok() {}
                self.back = back(&self.receiver);
                cut = Instant::now() + Duration::from_millis(self.rng.random_range(2000..6000));
            }
            while let Ok((count, from)) = self.front.recv_from(&mut bytes) {
                self.master = Some(from);
                self.take(true, &bytes[..count]);
            }
            while let Ok(count) = self.back.recv(&mut bytes) {
                self.take(false, &bytes[..count]);
            }
            self.deliver();
            // A time limit of the socket would be as coarse as the kernel's clock.
            std::thread::sleep(Duration::from_micros(300));
        }
    }

    fn take(&mut self, to_receiver: bool, bytes: &[u8]) {
        self.counts.seen.fetch_add(1, Relaxed);
        self.sent += 1;
        let times = match self.rng.random_range(0..100) {
            0..20 => 0,
            20..35 => 2,
            _ => 1,
        };
        match times {
            0 => _ = self.counts.lost.fetch_add(1, Relaxed),
            2 => _ = self.counts.repeated.fetch_add(1, Relaxed),
            _ => {}
        }
        for _ in 0..times {
            // Mostly in one or two milliseconds, some after so long that others overtake them.
            let delay = match self.rng.random_range(0..50) {
                0 => self.rng.random_range(20..300),
                _ => self.rng.random_range(0..3),
            };
            let moment = Instant::now() + Duration::from_millis(delay);
            self.under_way.push((moment, to_receiver, self.sent, bytes.to_vec()));
        }
    }

    fn deliver(&mut self) {
        let now = Instant::now();
        let (arrived, later) = self.under_way.drain(..).partition(|(moment, ..)| *moment <= now);
        self.under_way = later;
        let arrived: Vec<(Instant, bool, u64, Vec<u8>)> = arrived;
        for (_, to_receiver, number, bytes) in arrived {
            let newest = &mut self.newest[usize::from(to_receiver)];
            if number < *newest {
                self.counts.overtaken.fetch_add(1, Relaxed);
            }
            *newest = number.max(*newest);
            // To a process that was killed nothing can be sent.
            let _ = match (to_receiver, self.master) {
                (true, _) => self.back.send(&bytes),
                (false, Some(master)) => self.front.send_to(&bytes, master),
                (false, None) => Ok(0),
            };
        }
    }
}
