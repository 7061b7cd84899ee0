//! The sizes of attention's heads.

use crate::kernel::Case;
use crate::product::THREADS;

/// Queries of a workgroup in the attention of many tokens; half as many where heads are wide,
/// whose queries would not fit workgroup memory.
const QUERIES: usize = 16;

/// The widest head that the kernels have threads for.
pub(crate) const WIDEST: usize = 256;

/// The precision in which keys and values are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CachePrecision {
    /// 32-bit floats: the logits are those of single precision throughout.
    #[default]
    Full,
    /// 16-bit floats: half the memory and half the reading for long texts.
    Half,
}

impl CachePrecision {
    /// Bytes of a value.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::Full => 4,
            Self::Half => 2,
        }
    }
}

/// Heads that ask, heads that are asked, and how wide they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Heads {
    pub(crate) heads: usize,
    pub(crate) key_heads: usize,
    pub(crate) width: usize,
    /// Added to the mean square where heads are normalised.
    pub(crate) epsilon: f32,
    pub(crate) precision: CachePrecision,
}

impl Heads {
    /// A kernel of attention with these sizes.
    pub(crate) fn case(&self, name: &'static str) -> Case {
        let Self { heads, key_heads, width, epsilon, precision } = *self;
        let half = precision == CachePrecision::Half;
        let queries = self.queries();
        let quads = width / 4;
        // Teams of threads of which each sums up as many of the queries.
        let teams = largest_power_of_two(THREADS / quads).min(queries);
        Case::new(name)
            .when("half_cache", half)
            .number("cache_type", if half { "vec2u" } else { "vec4f" })
            .number("width", width)
            .number("half_width", width / 2)
            .number("quads", quads)
            .number("heads", heads)
            .number("key_heads", key_heads)
            .number("group", heads / key_heads)
            .number("row", (heads + 2 * key_heads) * width)
            .number("scale", format!("{:?}", 1.0 / (width as f32).sqrt()))
            .number("epsilon", format!("{epsilon:?}"))
            .number("queries", queries)
            .number("query_quads", queries * quads)
            .number("scores", queries * 64)
            .number("teams", teams)
    }

    /// Returns `true` if the kernels are made for heads of this width.
    pub(crate) fn fits(&self) -> bool {
        self.width > 0 && self.width.is_multiple_of(4) && self.width <= WIDEST
    }

    /// Queries of a workgroup in the attention of many tokens.
    pub(crate) fn queries(&self) -> usize {
        if self.width <= 128 { QUERIES } else { QUERIES / 2 }
    }
}

fn largest_power_of_two(number: usize) -> usize {
    1 << number.max(1).ilog2()
}
