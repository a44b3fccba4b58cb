//! Real colours to states.

mod common;
use cranecuber::colors::resolve;
use cranecuber::cube::{Face, Order, Pieces, State, Symmetry};

fn same(a: &State, b: &State) -> bool {
    if a.size() % 2 == 1 {
        return a == b;
    }
    Symmetry::rotations().into_iter().any(|r| a.renamed(r) == *b)
}

#[test]
fn table() {
    let Some(dir) = common::data("table") else { return };
    let mut files: Vec<_> = std::fs::read_dir(dir.join("colors"))
        .unwrap()
        .map(|f| f.unwrap().path())
        .collect();
    files.sort();
    let mut right = 0;
    for f in &files {
        let v: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(f).unwrap()).unwrap();
        let n = v["size"].as_u64().unwrap() as usize;
        let want = State::parse(v["state"].as_str().unwrap(), Order::Urfdlb).unwrap();
        let sides = Face::ALL.map(|f| {
            let s: Vec<[u8; 3]> = serde_json::from_value(v["rgb"][f.letter().to_string()].clone()).unwrap();
            s
        });
        let t = std::time::Instant::now();
        let r = resolve(n, &sides).unwrap();
        let legal = Pieces::of(&r.state).is_ok();
        let ok = same(&r.state, &want);
        right += ok as usize;
        let diff = Symmetry::rotations()
            .into_iter()
            .filter(|&s| n % 2 == 0 || s == Symmetry::IDENTITY)
            .map(|s| {
                r.state
                    .renamed(s)
                    .colours()
                    .iter()
                    .zip(want.colours())
                    .filter(|(a, b)| a != b)
                    .count()
            })
            .min()
            .unwrap();
        println!(
            "{:28} {} legal {} wrong {diff:3} margin {:7.2} doubtful {:3} {:?}",
            f.file_stem().unwrap().to_string_lossy(),
            if ok { "ok " } else { "BAD" },
            legal,
            r.margin,
            r.doubtful.len(),
            t.elapsed()
        );
    }
    println!("{right} of {}", files.len());
}
