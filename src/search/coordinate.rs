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
    /// Fills the tables of a coordinate with `values` values. `decode` makes of a value what `turn` and `moved` work on; these give the
    /// value after a turn and of the cube moved by a symmetry, both by the group's numbers.
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

/// A coordinate reduced by symmetry. A value is written `class << bits | s`, with the group's bits: the class's representative moved by symmetry s.
#[derive(Debug, Clone)]
pub struct Reduced {
    turns: usize,
    order: usize,
    bits: u32,
    /// Every value of a class by symmetry, the representative first: [class << bits | s].
    members: Vec<u16>,
    /// The reduced form of every value.
    of: Vec<u16>,
    /// [class · turns + turn]: the representative after a turn, reduced.
    turned: Vec<u16>,
    /// The symmetries that leave the representative as it is, a bit each.
    stable: Vec<u16>,
}

impl Reduced {
    /// Finds the classes; arguments as for [`Plain::new`]. Reduced forms must fit 16 bits.
    pub fn new<S>(
        group: &Group,
        values: usize,
        decode: impl Fn(usize) -> S,
        turn: impl Fn(&S, usize) -> usize,
        moved: impl Fn(&S, usize) -> usize,
    ) -> Reduced {
        const NONE: u16 = u16::MAX;
        let (turns, order, bits) = (group.turns().len(), group.order(), group.bits());
        let mut members: Vec<u16> = Vec::new();
        let mut of = vec![NONE; values];
        let mut stable = Vec::new();
        // Values after a turn first; reduced when every class is known.
        let mut turned: Vec<u16> = Vec::new();
        for value in 0..values {
            if of[value] != NONE {
                continue;
            }
            let class = stable.len();
            let decoded = decode(value);
            turned.extend((0..turns).map(|t| turn(&decoded, t) as u16));
            let mut same = 0;
            members.resize((class + 1) << bits, 0);
            for s in 0..order {
                let member = moved(&decoded, s);
                members[class << bits | s] = member as u16;
                same |= u16::from(member == value) << s;
                if of[member] == NONE {
                    of[member] = (class << bits | s) as u16;
                }
            }
            stable.push(same);
        }
        turned.iter_mut().for_each(|value| *value = of[*value as usize]);
        Reduced {
            turns,
            order,
            bits,
            members,
            of,
            turned,
            stable,
        }
    }

    /// How many classes it has.
    pub fn classes(&self) -> usize {
        self.stable.len()
    }

    /// The reduced form of a value.
    #[inline]
    pub fn of(&self, value: usize) -> usize {
        self.of[value] as usize
    }

    /// The value of a reduced form.
    #[inline]
    pub fn value(&self, reduced: usize) -> usize {
        self.members[reduced] as usize
    }

    /// The reduced form after a turn.
    #[inline]
    pub fn turn(&self, group: &Group, reduced: usize, turn: usize) -> usize {
        let (class, s) = self.split(reduced);
        // The turn as the representative sees it.
        let seen = group.moved(turn, group.inverse(s));
        let after = self.turned[class * self.turns + seen] as usize;
        let (class, back) = self.split(after);
        class << self.bits | group.then(back, s)
    }

    /// Class and symmetry of a reduced form.
    #[inline]
    pub fn split(&self, reduced: usize) -> (usize, usize) {
        (reduced >> self.bits, reduced & ((1 << self.bits) - 1))
    }
}

/// Two coordinates together, the first reduced: entry = class · values of the second + the second as the first's representative sees it.
#[derive(Debug)]
pub struct Pair<'a> {
    /// The symmetries and turns.
    pub group: &'a Group,
    /// The coordinate that is reduced to classes.
    pub reduced: &'a Reduced,
    /// The coordinate that is moved along.
    pub plain: &'a Plain,
    /// The values of both that are solved.
    pub goal: (usize, usize),
}

impl Pair<'_> {
    /// The entry of a pair of values.
    #[inline]
    pub fn entry(&self, reduced: usize, plain: usize) -> usize {
        let (class, s) = self.reduced.split(reduced);
        class * self.plain.values() + self.plain.moved(plain, self.group.inverse(s))
    }

    fn all_entries(&self, reduced: usize, plain: usize, mut see: impl FnMut(usize)) {
        let (class, s) = self.reduced.split(reduced);
        let seen = self.plain.moved(plain, self.group.inverse(s));
        let stable = self.reduced.stable[class];
        for t in (0..self.reduced.order).filter(|t| stable >> t & 1 == 1) {
            see(class * self.plain.values() + self.plain.moved(seen, t));
        }
    }
}

impl Space for Pair<'_> {
    fn entries(&self) -> usize {
        self.reduced.classes() * self.plain.values()
    }

    fn goals(&self) -> Vec<usize> {
        let mut goals = Vec::new();
        self.all_entries(self.reduced.of(self.goal.0), self.goal.1, |entry| goals.push(entry));
        goals.sort_unstable();
        goals.dedup();
        goals
    }

    fn neighbours(&self, entry: usize, mut see: impl FnMut(usize)) {
        let (class, plain) = (entry / self.plain.values(), entry % self.plain.values());
        for turn in 0..self.group.turns().len() {
            let after = self.reduced.turned[class * self.reduced.turns + turn] as usize;
            self.all_entries(after, self.plain.turn(plain, turn), &mut see);
        }
    }
}
