//! The replies of several sites as one.

use campanile_answer::{Reply, Source, SourceSite};
use campanile_bundle::{CampusEntry, ChunkId};

use crate::probability::Evidence;

/// The bits of a passage's number that are its number within its site; those above are the site's.
const BITS_OF_CHUNK: u32 = 24;

/// A passage's number among those of all sites; none where the site has more passages than a campus can count.
pub(crate) fn joint_number(site: usize, chunk: ChunkId) -> Option<ChunkId> {
    let site =
        u32::try_from(site).ok().filter(|site| (*site as usize) < CampusEntry::MOST_SITES)?;
    (chunk.0 >> BITS_OF_CHUNK == 0).then_some(ChunkId(site << BITS_OF_CHUNK | chunk.0))
}

/// The site of such a number, and the passage's number there.
pub(crate) fn of_joint_number(chunk: ChunkId) -> (usize, ChunkId) {
    let within = chunk.0 & ((1 << BITS_OF_CHUNK) - 1);
    ((chunk.0 >> BITS_OF_CHUNK) as usize, ChunkId(within))
}

/// A site's reply.
pub(crate) struct OfSite<'a> {
    /// Its place in the campus.
    pub(crate) number: usize,
    /// Its name and address, for its passages.
    pub(crate) site: SourceSite,
    /// Its reply.
    pub(crate) reply: &'a Reply,
}

/// A source of one of the replies.
struct Ranked {
    probability: f32,
    /// The reply, and the source's place in it.
    place: (usize, usize),
}

/// The probability that a reply's most probable source answers.
pub(crate) fn most_probable(reply: &Reply) -> f32 {
    probabilities(reply).fold(0.0, f32::max)
}

/// The probability that each source of a reply answers.
fn probabilities(reply: &Reply) -> impl Iterator<Item = f32> {
    reply.sources.iter().enumerate().map(|(place, source)| {
        let reading = reply.reading(place);
        Evidence::of(source, reading.map(|reading| reading.probability)).probability()
    })
}

/// The reply that speaks for all: that of the site with the most probable passage, also where it refuses. The more sites
/// are asked, the more surely one of them answers something, so the surest answer is no sure one.
pub(crate) fn best(replies: &[&Reply]) -> Option<usize> {
    let beliefs = replies.iter().map(|reply| most_probable(reply)).enumerate();
    // Of equals the first: the campus lists it before.
    let better = |left: &(usize, f32), right: &(usize, f32)| {
        left.1.total_cmp(&right.1).then(right.0.cmp(&left.0))
    };
    beliefs.max_by(better).map(|(place, _)| place)
}

/// One reply of all: what the best says, with the `most` passages of all that answer most probably, and those that it
/// speaks of.
pub(crate) fn merged(of_sites: &[OfSite<'_>], most: usize) -> Option<Reply> {
    let replies: Vec<&Reply> = of_sites.iter().map(|of_site| of_site.reply).collect();
    let best = best(&replies)?;
    let mut ranked: Vec<Ranked> = replies
        .iter()
        .enumerate()
        .flat_map(|(number, reply)| {
            let all = probabilities(reply).enumerate();
            all.map(move |(place, probability)| Ranked { probability, place: (number, place) })
        })
        .collect();
    ranked.sort_by(|left, right| {
        right.probability.total_cmp(&left.probability).then(left.place.cmp(&right.place))
    });
    let answered = of_sites.get(best)?.reply.answer.source.map(|source| (best, source - 1));
    let mut kept = 0;
    ranked.retain(|ranked| {
        kept += 1;
        kept <= most || Some(ranked.place) == answered
    });
    let sources = ranked.iter().zip(1..).filter_map(|(ranked, number)| {
        let (reply, place) = ranked.place;
        let of_site = of_sites.get(reply)?;
        let source = of_site.reply.sources.get(place)?.clone();
        let chunk = joint_number(of_site.number, source.chunk)?;
        Some(Source { number, chunk, site: Some(of_site.site.clone()), ..source })
    });
    let sources = sources.collect();
    let number = |number: usize| {
        let place = ranked.iter().position(|it| it.place == (best, number.wrapping_sub(1)))?;
        Some(place + 1)
    };
    let own = of_sites.get(best)?;
    let mut reply = own.reply.clone().with_sources(sources, &number);
    for left_out in &mut reply.left_out {
        left_out.chunk = joint_number(own.number, left_out.chunk)?;
    }
    Some(reply)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_joint_number_leads_back(site in 0usize..300, chunk in 0u32..1 << 25) {
            let joint = joint_number(site, ChunkId(chunk));
            let fits = site < CampusEntry::MOST_SITES && chunk < 1 << BITS_OF_CHUNK;
            prop_assert_eq!(joint.is_some(), fits);
            if let Some(joint) = joint {
                prop_assert_eq!(of_joint_number(joint), (site, ChunkId(chunk)));
            }
        }
    }
}
