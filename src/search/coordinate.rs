//! Coordinates: numbers for parts of a cube, with tables of what turns and symmetries make of them.

use super::Group;
use crate::tables::Space;

/// A coordinate with one table entry per value: what turns and symmetries make of it.
#[derive(Debug, Clone)]
pub struct Plain {
    turns: usize,
    bits: u32,
    turned: Vec<u16>,
    /// [value << bits | symmetry]
    moved: Vec<u16>,
}

impl Plain {
    /// Fills the tables of a coordinate with `values` values. `decode` makes of a value what `turn` and `moved` work
    /// on; these give the value after a turn and of the cube moved by a symmetry, both by the group's numbers.
    pub fn new<S>(
        group: &Group,
        values: usize,
        decode: impl Fn(usize) -> S,
        turn: impl Fn(&S, usize) -> usize,
        moved: impl Fn(&S, usize) -> usize,
    ) -> Plain {
        let (turns, bits) = (group.turns().len(), group.bits());
        let mut turned = Vec::with_capacity(values * turns);
        let mut by_symmetry = vec![0; values << bits];
        for value in 0..values {
            let decoded = decode(value);
            turned.extend((0..turns).map(|t| turn(&decoded, t) as u16));
            for s in 0..group.order() {
                by_symmetry[value << bits | s] = moved(&decoded, s) as u16;
            }
        }
        Plain {
            turns,
            bits,
            turned,
            moved: by_symmetry,
        }
    }

    /// How many values it has.
    pub fn values(&self) -> usize {
        self.turned.len() / self.turns
    }

    /// The value after a turn.
    #[inline]
    pub fn turn(&self, value: usize, turn: usize) -> usize {
        self.turned[value * self.turns + turn] as usize
    }

    /// The value of the cube moved by a symmetry.
    #[inline]
    pub fn moved(&self, value: usize, symmetry: usize) -> usize {
        self.moved[value << self.bits | symmetry] as usize
    }
}

/// How numbers are stored in tables: 16 bits where they are enough, because the brick's cache is small.
pub trait Word: Copy + PartialEq + Send + Sync {
    /// Stands for no number.
    const NONE: Self;
    /// The number as it is stored.
    fn of(number: usize) -> Self;
    /// The number.
    fn get(self) -> usize;
}

impl Word for u16 {
    const NONE: u16 = u16::MAX;
    fn of(number: usize) -> u16 {
        number as u16
    }
    #[inline]
    fn get(self) -> usize {
        self as usize
    }
}

impl Word for u32 {
    const NONE: u32 = u32::MAX;
    fn of(number: usize) -> u32 {
        number as u32
    }
    #[inline]
    fn get(self) -> usize {
        self as usize
    }
}

/// A coordinate reduced by symmetry. A value is written `class << bits | s`, with the group's bits: the class's
/// representative, which is its smallest value, moved by symmetry s. Classes are numbered in the order of their
/// representatives.
#[derive(Debug, Clone)]
pub struct Reduced<W = u16> {
    turns: usize,
    bits: u32,
    /// Every value of a class by symmetry, the representative first: [class << bits | s].
    members: Vec<W>,
    /// The reduced form of every value.
    of: Vec<W>,
    /// [class · turns + turn]: the representative after a turn, reduced.
    turned: Vec<W>,
    /// The symmetries that leave the representative of class i as it is: those from number `stable_from[i]` to
    /// `stable_from[i + 1]`.
    stable: Vec<u8>,
    stable_from: Vec<u32>,
}

/// A reduced form that is to be turned.
#[derive(Debug, Clone, Copy)]
pub struct Turning<'a, W> {
    bits: u32,
    /// The representative of its class after each turn, reduced.
    turned: &'a [W],
    /// Every turn as the representative sees it.
    seen: &'a [u8],
    /// What each symmetry of the turned representative is for the turned form.
    back: &'a [u8],
}

impl<W: Word> Turning<'_, W> {
    /// The reduced form after a turn.
    #[inline]
    pub fn by(&self, turn: usize) -> usize {
        let after = self.turned[usize::from(self.seen[turn])].get();
        let symmetry = after & ((1 << self.bits) - 1);
        after - symmetry + usize::from(self.back[symmetry])
    }
}

impl<W: Word> Reduced<W> {
    /// Finds the classes; arguments as for [`Plain::new`]. Values and reduced forms must fit a word.
    pub fn new<S>(
        group: &Group,
        values: usize,
        decode: impl Fn(usize) -> S,
        turn: impl Fn(&S, usize) -> usize,
        moved: impl Fn(&S, usize) -> usize,
    ) -> Reduced<W> {
        let (turns, bits) = (group.turns().len(), group.bits());
        let mut members: Vec<W> = Vec::new();
        let mut of = vec![W::NONE; values];
        let (mut stable, mut stable_from) = (Vec::new(), vec![0]);
        // Values after a turn first; reduced when every class is known.
        let mut turned: Vec<W> = Vec::new();
        for value in 0..values {
            if of[value] != W::NONE {
                continue;
            }
            let class = stable_from.len() - 1;
            let decoded = decode(value);
            turned.extend((0..turns).map(|t| W::of(turn(&decoded, t))));
            members.resize((class + 1) << bits, W::of(0));
            for s in 0..group.order() {
                let member = moved(&decoded, s);
                members[class << bits | s] = W::of(member);
                if member == value {
                    stable.push(s as u8);
                }
                if of[member] == W::NONE {
                    of[member] = W::of(class << bits | s);
                }
            }
            stable_from.push(stable.len() as u32);
        }
        turned.iter_mut().for_each(|value| *value = of[value.get()]);
        Reduced {
            turns,
            bits,
            members,
            of,
            turned,
            stable,
            stable_from,
        }
    }

    /// How many classes it has.
    pub fn classes(&self) -> usize {
        self.stable_from.len() - 1
    }

    /// The reduced form of a value.
    #[inline]
    pub fn of(&self, value: usize) -> usize {
        self.of[value].get()
    }

    /// The value of a reduced form.
    #[inline]
    pub fn value(&self, reduced: usize) -> usize {
        self.members[reduced].get()
    }

    /// The reduced form after a turn.
    #[inline]
    pub fn turn(&self, group: &Group, reduced: usize, turn: usize) -> usize {
        let (class, s) = self.split(reduced);
        // The turn as the representative sees it.
        let seen = group.moved(turn, group.inverse(s));
        let after = self.turned[class * self.turns + seen].get();
        let (class, back) = self.split(after);
        class << self.bits | group.then(back, s)
    }

    /// The same for one reduced form and several turns: these take less, and to begin takes more.
    #[inline]
    pub fn turning<'a>(&'a self, group: &'a Group, reduced: usize) -> Turning<'a, W> {
        let (class, s) = self.split(reduced);
        Turning {
            bits: self.bits,
            turned: &self.turned[class * self.turns..][..self.turns],
            seen: group.before(s),
            back: group.after(s),
        }
    }

    /// Class and symmetry of a reduced form.
    #[inline]
    pub fn split(&self, reduced: usize) -> (usize, usize) {
        (reduced >> self.bits, reduced & ((1 << self.bits) - 1))
    }

    /// The symmetries that leave a class's representative as it is: for most classes only the identity.
    #[inline]
    pub fn stable(&self, class: usize) -> &[u8] {
        &self.stable[self.stable_from[class] as usize..self.stable_from[class + 1] as usize]
    }
}

/// Two coordinates together, the first reduced: entry = class · values of the second + the second as the first's
/// representative sees it.
#[derive(Debug)]
pub struct Pair<'a, W = u16> {
    /// The symmetries and turns.
    pub group: &'a Group,
    /// The coordinate that is reduced to classes.
    pub reduced: &'a Reduced<W>,
    /// The coordinate that is moved along.
    pub plain: &'a Plain,
    /// The pairs of values that are goals.
    pub goals: Vec<(usize, usize)>,
}

impl<W: Word> Pair<'_, W> {
    /// The entry of a pair of values.
    #[inline]
    pub fn entry(&self, reduced: usize, plain: usize) -> usize {
        let (class, s) = self.reduced.split(reduced);
        class * self.plain.values() + self.plain.moved(plain, self.group.inverse(s))
    }

    fn all_entries(&self, reduced: usize, plain: usize, mut see: impl FnMut(usize)) {
        let (class, s) = self.reduced.split(reduced);
        let seen = self.plain.moved(plain, self.group.inverse(s));
        for &t in self.reduced.stable(class) {
            see(class * self.plain.values() + self.plain.moved(seen, t as usize));
        }
    }
}

impl<W: Word> Space for Pair<'_, W> {
    fn entries(&self) -> usize {
        self.reduced.classes() * self.plain.values()
    }

    fn goals(&self) -> Vec<usize> {
        let mut goals = Vec::new();
        for &(value, plain) in &self.goals {
            self.all_entries(self.reduced.of(value), plain, |entry| goals.push(entry));
        }
        goals.sort_unstable();
        goals.dedup();
        goals
    }

    fn neighbours(&self, entry: usize, mut see: impl FnMut(usize)) {
        let (class, plain) = (entry / self.plain.values(), entry % self.plain.values());
        for turn in 0..self.group.turns().len() {
            let after = self.reduced.turned[class * self.reduced.turns + turn].get();
            self.all_entries(after, self.plain.turn(plain, turn), &mut see);
        }
    }
}
