//! The 4x4x4: three phases that make a 3x3x3 of it (after Tsai).
//!
//! 1. The eight centres of one axis come onto one axis, here named x.
//! 2. The other centres come onto their axes, too, the x-centres into a state that half turns can solve, and the two wings of every edge
//!    into opposite *halves*: sets of twelve places that the last phase's turns do not mix.
//! 3. Centres are solved and wings paired, without the parities that no 3x3x3 has.

mod axis;
mod halves;
mod pairs;
mod tables;

pub(crate) use tables::Table4;

fn load<const W: usize>(name: &str, or: [[u8; W]; 16]) -> [[u8; W]; 16] {
    let Ok(path) = std::env::var(name) else { return or };
    let text = std::fs::read_to_string(path).unwrap();
    let mut all = [[240u8; W]; 16];
    for (r, line) in text.lines().enumerate() {
        for (c, v) in line.trim_matches(|c| "[],".contains(c)).split(", ").enumerate() {
            let v: usize = v.parse().unwrap();
            all[r][c] = if r == 0 && c == 0 { 0 } else { v.clamp(1, 240) as u8 };
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Order, State};
    use crate::search::{Limits, Meter, Wanted};
    use crate::solve::reduction::{Candidate, Plan, advance};
    use crate::tables::{Quiet, Store};

    #[test]
    #[ignore]
    fn experiment() {
        let store = Store::new("/tmp/tables");
        let one = axis::Axis::open(&store, &Quiet).unwrap();
        let two = halves::Halves::open(&store, &Quiet).unwrap();
        let three = pairs::Pairing::open(&store, &Quiet).unwrap();
        let var = |name: &str, d: usize| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(d);
        let text = std::fs::read_to_string("/work/shared/data/states/4x4x4.txt").unwrap();
        let lim = |p: &str, width, keep, beyond| Limits {
            width: var(&format!("W{p}"), width),
            keep: var(&format!("K{p}"), keep),
            beyond: var(&format!("B{p}"), beyond),
            longest: 99,
        };
        let plan = |p: &str, width, keep, beyond| {
            let l = lim(p, width, keep, beyond);
            match var(&format!("D{p}"), 0) {
                0 => Plan::Beam(l),
                nodes => Plan::Deepen(
                    Wanted {
                        keep: l.keep,
                        beyond: l.beyond,
                        longest: 99,
                        nodes: nodes as u64 * 1000,
                    },
                    l.width,
                ),
            }
        };
        let n = var("N", 10);
        let mut sums = [0f64; 8];
        for line in text.lines().take(n) {
            let state = State::parse(line, Order::default()).unwrap();
            let t0 = std::time::Instant::now();
            let mut meter = Meter::new(u64::MAX, None, None);
            let from = vec![Candidate::new(state)];
            let a = advance(&one, &from, Plan::Beam(lim("1", 1000, 1000, 1)), &mut meter);
            let (n1, t1) = (meter.nodes(), t0.elapsed());
            let b = advance(&two, &a, plan("2", 2000, 500, 1), &mut meter);
            let (n2, t2) = (meter.nodes(), t0.elapsed());
            let c = advance(&three, &b, plan("3", 5000, 100, 1), &mut meter);
            let (n3, t3) = (meter.nodes(), t0.elapsed());
            let m = |c: &[Candidate]| c.iter().map(|c| c.turns.len()).min().unwrap_or(0);
            let cnt = |c: &[Candidate]| c.iter().filter(|x| x.turns.len() == m(c)).count();
            for (s, v) in sums.iter_mut().zip([
                m(&a) as f64,
                m(&b) as f64,
                m(&c) as f64,
                n1 as f64 / 1e6,
                (n2 - n1) as f64 / 1e6,
                (n3 - n2) as f64 / 1e6,
            ]) {
                *s += v / n as f64;
            }
            if var("V", 0) > 0 {
                println!(
                    "{} ({}/{}) {} ({}/{}) {} ({}/{}) nodes {} {} {} time {:?} {:?} {:?}",
                    m(&a),
                    cnt(&a),
                    a.len(),
                    m(&b),
                    cnt(&b),
                    b.len(),
                    m(&c),
                    cnt(&c),
                    c.len(),
                    n1,
                    n2 - n1,
                    n3 - n2,
                    t1,
                    t2 - t1,
                    t3 - t2
                );
            }
        }
        println!("{sums:.3?}");
    }
}
#[cfg(test)]
mod learn {
    use super::*;
    use crate::search::Phase;
    use crate::tables::{Quiet, Recipe, Store};
    pub fn learn<P: Phase>(
        phase: &P,
        goals: &[P::Node],
        pair: impl Fn(&P::Node) -> (usize, usize),
        share: &[Vec<f64>],
        goal_share: f64,
        b: f64,
        deepest: usize,
        at: f64,
    ) {
        use rand::{RngExt, SeedableRng};
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let walks = 500_000;
        let (rows, cols) = (share.len(), share[0].len());
        let mut est = vec![vec![999usize; cols]; rows];
        let mut acc = vec![vec![0f64; cols]; rows];
        for k in 0..deepest {
            let mut h = vec![vec![0f64; cols]; rows];
            for _ in 0..walks {
                let mut node = goals[rng.random_range(0..goals.len())];
                let mut last: Option<crate::cube::Turn> = None;
                for _ in 0..k {
                    let t = loop {
                        let t = rng.random_range(0..phase.turns().len());
                        let u = phase.turns()[t];
                        if last.is_none_or(|l| (l.face, l.last) != (u.face, u.last)) {
                            last = Some(u);
                            break t;
                        }
                    };
                    node = phase.child(&node, t);
                }
                let (c, w) = pair(&node);
                h[c][w] += 1.0 / walks as f64;
            }
            let s = (goal_share * b.powi(k as i32)).min(1.0);
            for c in 0..rows {
                for w in 0..cols {
                    let n = share[c][w];
                    acc[c][w] += h[c][w] * s;
                    if acc[c][w] >= at * n && est[c][w] == 999 {
                        let before = (acc[c][w] - h[c][w] * s).max(acc[c][w] / 14.0).max(1e-30);
                        let f = ((at * n / before).ln() / (acc[c][w] / before).ln()).clamp(0.0, 1.0);
                        est[c][w] = (8.0 * (k as f64 - 1.0 + f)).round() as usize;
                    }
                }
            }
        }
        for row in est {
            println!("{row:?},");
        }
    }
    fn env(name: &str, d: f64) -> f64 {
        std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(d)
    }
    #[test]
    #[ignore]
    fn learn3() {
        let store = Store::new("/tmp/tables");
        let three = pairs::Pairing::open(&store, &Quiet).unwrap();
        let hc = [
            4.0, 12.0, 136.0, 952.0, 4472.0, 14876.0, 27964.0, 33440.0, 26400.0, 8832.0, 512.0,
        ];
        let hp = [
            1.0, 3.0, 12.0, 39.0, 269.0, 1598.0, 10353.0, 65365.0, 407719.0, 2292838.0, 8964228.0, 15749991.0,
            3510525.0, 3139.0,
        ];
        let (tc, tp): (f64, f64) = (hc.iter().sum(), hp.iter().sum());
        let share: Vec<Vec<f64>> = hc
            .iter()
            .map(|c| hp.iter().map(|p| c / tc * p / tp).collect())
            .collect();
        learn(
            &three,
            &three.goals(),
            |n| three.pair(n),
            &share,
            4.0 / tc / (tp * 7.72),
            env("BR", 12.5),
            20,
            env("AT", 0.3),
        );
    }
    #[test]
    #[ignore]
    fn learn2() {
        let store = Store::new("/tmp/tables");
        let two = halves::Halves::open(&store, &Quiet).unwrap();
        let hc = [
            6.0, 11.0, 97.0, 840.0, 5651.0, 30868.0, 114112.0, 217442.0, 80295.0, 1128.0,
        ];
        let pw = [0.000758, 0.05005, 0.28125, 0.43699, 0.2053, 0.02457, 0.00033, 0.00075];
        let goals: Vec<_> = (0..42).map(|i| two.goal(i)).collect();
        let share: Vec<Vec<f64>> = hc
            .iter()
            .map(|c| pw.iter().map(|p| c / 450450.0 * p).collect())
            .collect();
        learn(
            &two,
            &goals,
            |n| {
                let (a, b) = two.pair(n);
                (a as usize, b as usize)
            },
            &share,
            6.0 / 450450.0 * pw[0],
            env("BR", 15.0),
            12,
            env("AT", 0.3),
        );
    }
}
