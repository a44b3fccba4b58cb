//! Connected components of the pixels that are no edges, with their moments.

use super::mask::Mask;

/// A connected region (over the four neighbours) of non-edge pixels.
///
/// The sums wrap at 2³². In pictures of at most 352 pixels a side they are exact for regions of up to a sixth of the picture, which is
/// more than any sticker takes; 64-bit sums would double the cost of the whole stage on a 32-bit processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Component {
    /// Pixels.
    pub area: u32,
    /// Sum of the columns.
    pub x: u32,
    /// Sum of the lines.
    pub y: u32,
    /// Sum of the squared columns.
    pub xx: u32,
    /// Sum of column times line.
    pub xy: u32,
    /// Sum of the squared lines.
    pub yy: u32,
}

impl Component {
    /// Adds the columns `from..to` of a line: closed sums, so that the cost is per run and not per pixel.
    fn add_run(&mut self, from: u32, to: u32, line: u32) {
        let n = to - from;
        // Mean column times 2; the sum of squares is n times its square plus the variance of n neighbours, n(n² - 1)/12.
        let twice = from + to - 1;
        let x = n * twice / 2;
        self.area += n;
        self.x = self.x.wrapping_add(x);
        self.y = self.y.wrapping_add(n * line);
        self.xx = self.xx.wrapping_add((3 * n * twice * twice + n * (n * n - 1)) / 12);
        self.xy = self.xy.wrapping_add(x.wrapping_mul(line));
        self.yy = self.yy.wrapping_add(n.wrapping_mul(line * line));
    }

    fn merge(&mut self, other: &Component) {
        self.area += other.area;
        self.x = self.x.wrapping_add(other.x);
        self.y = self.y.wrapping_add(other.y);
        self.xx = self.xx.wrapping_add(other.xx);
        self.xy = self.xy.wrapping_add(other.xy);
        self.yy = self.yy.wrapping_add(other.yy);
    }
}

#[derive(Debug, Clone, Copy)]
struct Run {
    from: u32,
    to: u32,
    label: u32,
}

/// Working memory of the labelling, reused from mask to mask.
#[derive(Debug, Default)]
pub struct Labeller {
    above: Vec<Run>,
    here: Vec<Run>,
    /// Union-find: a label's parent, its own number for a root.
    parent: Vec<u32>,
    parts: Vec<Component>,
}

impl Labeller {
    /// All components of a mask, in no promised order. The slice is valid until the next call.
    pub fn components(&mut self, mask: &Mask) -> &[Component] {
        self.above.clear();
        self.parent.clear();
        self.parts.clear();
        for (y, line) in mask.lines().enumerate() {
            self.line(line, y as u32);
            std::mem::swap(&mut self.above, &mut self.here);
        }
        for label in 0..self.parts.len() {
            let root = self.root(label as u32) as usize;
            if root != label {
                let part = std::mem::take(&mut self.parts[label]);
                self.parts[root].merge(&part);
            }
        }
        self.parts.retain(|part| part.area > 0);
        &self.parts
    }

    /// Splits a line into runs, each with the label of the runs above that it touches.
    fn line(&mut self, line: &[u32], y: u32) {
        let mut here = std::mem::take(&mut self.here);
        here.clear();
        let mut next = 0;
        Mask::runs(line, |from, to| {
            while next < self.above.len() && self.above[next].to <= from {
                next += 1;
            }
            let mut label = None;
            let mut touching = next;
            while touching < self.above.len() && self.above[touching].from < to {
                let other = self.root(self.above[touching].label);
                label = Some(match label {
                    None => other,
                    Some(mine) => self.unite(mine, other),
                });
                touching += 1;
            }
            let label = label.unwrap_or_else(|| {
                self.parent.push(self.parent.len() as u32);
                self.parts.push(Component::default());
                self.parts.len() as u32 - 1
            });
            self.parts[label as usize].add_run(from, to, y);
            here.push(Run { from, to, label });
        });
        self.here = here;
    }

    fn root(&mut self, mut label: u32) -> u32 {
        while self.parent[label as usize] != label {
            let up = self.parent[self.parent[label as usize] as usize];
            self.parent[label as usize] = up;
            label = up;
        }
        label
    }

    fn unite(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.root(a), self.root(b));
        let (root, leaf) = (a.min(b), a.max(b));
        self.parent[leaf as usize] = root;
        root
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `#` is an edge.
    fn count(drawing: &[&str]) -> Vec<u32> {
        let edges: Vec<bool> = drawing.iter().flat_map(|l| l.bytes()).map(|b| b == b'#').collect();
        let mask = mask(&edges, drawing[0].len());
        let mut areas: Vec<u32> = Labeller::default().components(&mask).iter().map(|c| c.area).collect();
        areas.sort_unstable();
        areas
    }

    /// The mask of a picture, with edges beyond it.
    fn mask(edges: &[bool], width: usize) -> Mask {
        let height = edges.len() / width;
        let mut mask = Mask::default();
        mask.reset(width, height);
        let stride = Mask::stride_for(width);
        for y in 0..height {
            for x in 0..stride {
                if x >= width || edges[y * width + x] {
                    mask.set(y * stride + x);
                }
            }
        }
        mask
    }

    #[test]
    fn regions_are_counted_over_four_neighbours_only() {
        assert_eq!(count(&["..#..", "..#..", "##.##", "..#.."]), [1, 2, 2, 4, 4]);
    }

    #[test]
    fn a_region_that_meets_itself_further_down_is_one() {
        assert_eq!(count(&[".#.#.", ".#.#.", "....."]), [11]);
        assert_eq!(count(&[".....", ".###.", ".#.#.", ".###.", "....."]), [1, 16]);
        assert_eq!(count(&["###", "###"]), [0; 0]);
    }

    /// Flood fill, pixel by pixel.
    fn flooded(edges: &[bool], width: usize) -> Vec<Component> {
        let mut done = edges.to_vec();
        let mut found = Vec::new();
        for start in 0..edges.len() {
            if done[start] {
                continue;
            }
            let mut part = Component::default();
            let mut stack = vec![start];
            done[start] = true;
            while let Some(at) = stack.pop() {
                let (x, y) = (at % width, at / width);
                part.add_run(x as u32, x as u32 + 1, y as u32);
                let mut visit = |next: usize| {
                    if !done[next] {
                        done[next] = true;
                        stack.push(next);
                    }
                };
                if x > 0 {
                    visit(at - 1)
                }
                if x + 1 < width {
                    visit(at + 1)
                }
                if y > 0 {
                    visit(at - width)
                }
                if at + width < edges.len() {
                    visit(at + width)
                }
            }
            found.push(part);
        }
        found
    }

    proptest! {
        #[test]
        fn components_are_those_of_a_flood_fill(width in 1usize..70, edges in prop::collection::vec(any::<bool>(), 0..700)) {
            let edges = &edges[..edges.len() / width * width];
            let key = |c: &Component| (c.area, c.x, c.y, c.xx, c.xy, c.yy);
            let mut labeller = Labeller::default();
            let mut labelled: Vec<_> = labeller.components(&mask(edges, width)).iter().map(key).collect();
            let mut flooded: Vec<_> = flooded(edges, width).iter().map(key).collect();
            labelled.sort_unstable();
            flooded.sort_unstable();
            prop_assert_eq!(labelled, flooded);
        }

        #[test]
        fn a_run_adds_the_moments_of_its_pixels(from in 0u32..400, length in 1u32..60, line in 0u32..400) {
            let mut whole = Component::default();
            whole.add_run(from, from + length, line);
            let mut single = Component::default();
            for x in from..from + length {
                single.merge(&Component { area: 1, x, y: line, xx: x * x, xy: x * line, yy: line * line });
            }
            prop_assert_eq!(whole, single);
        }
    }
}
