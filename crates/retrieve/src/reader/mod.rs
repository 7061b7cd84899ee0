//! Who asks, and what that means for each audience of a site.
//!
//! A site has tens of audiences and thousands of passages, so each audience is judged once for a
//! question, and every passage by its audience's number.

mod scope;

use std::collections::BTreeSet;

use campanile_bundle::AudienceTable;
use campanile_corpus::metadata::{
    Applicability, Aspect, Audience, Date, HierarchyLevel, Outcome, Profile, Validity,
};

pub(crate) use scope::Scope;

/// Who asks, as a site's documents see them.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    /// With the proper names of what was told, and what follows from it.
    profile: Profile,
    /// The years that the question names.
    years: BTreeSet<u16>,
    /// For each audience of the site.
    verdicts: Vec<Verdict>,
}

/// The meaning of one audience for the reader.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Verdict {
    /// `true` if its documents are for the reader.
    pub(crate) applies: bool,
    /// `true` if they are course material.
    pub(crate) is_academic: bool,
    /// The level that speaks to the reader.
    pub(crate) level: HierarchyLevel,
    /// The level that its documents speak for; none where that is a department or a faculty among several and
    /// nobody knows that it is the reader's.
    pub(crate) voice: Option<HierarchyLevel>,
}

impl Reader {
    pub(crate) fn new(profile: &Profile, years: BTreeSet<u16>, table: &AudienceTable) -> Self {
        let mut reader =
            Self { profile: table.organisation().complete(profile), years, verdicts: Vec::new() };
        let audiences = table.audiences();
        let departments = distinct(audiences, |it| it.metadata().departments.listed());
        let faculties = distinct(audiences, |it| it.metadata().faculties.listed());
        let verdict = |audience: &Audience| Verdict {
            applies: reader.against(audience).is_empty(),
            is_academic: audience.is_academic(),
            level: reader.level(audience, departments, faculties),
            voice: reader.voice(audience, departments, faculties),
        };
        reader.verdicts = audiences.iter().map(verdict).collect();
        reader
    }

    /// The day for which the reader asks.
    pub(crate) fn today(&self) -> Option<Date> {
        self.profile.date
    }

    /// Returns the meaning of the audience of this number for the reader.
    pub(crate) fn verdict(&self, audience: u32) -> Option<Verdict> {
        self.verdicts.get(audience as usize).copied()
    }

    /// The reasons against the reader, in words; none where the audience's documents are for them.
    ///
    /// A document that held in a year which the question names may be found, though it holds no
    /// more.
    pub(crate) fn against(&self, audience: &Audience) -> Vec<String> {
        let applicability: Applicability = audience.applies_to(&self.profile);
        let held = self.years.iter().any(|year| held_in(&audience.metadata().validity, *year));
        applicability
            .exclusions()
            .filter(|reason| !(held && reason.aspect == Aspect::Validity))
            .map(ToString::to_string)
            .collect()
    }

    /// Returns `true` if the reader told that they belong to a department, or a faculty.
    pub(crate) fn belongs_to(&self, level: HierarchyLevel) -> bool {
        match level {
            HierarchyLevel::University => false,
            HierarchyLevel::Faculty => self.profile.faculty.is_some(),
            HierarchyLevel::Department => self.profile.department.is_some(),
        }
    }

    /// The level that speaks to the reader: of several departments, none is nearer than the
    /// university to someone who has not told theirs.
    fn level(&self, audience: &Audience, departments: usize, faculties: usize) -> HierarchyLevel {
        let level = audience.level();
        let (aspect, units) = match level {
            HierarchyLevel::University => return level,
            HierarchyLevel::Faculty => (Aspect::Faculty, faculties),
            HierarchyLevel::Department => (Aspect::Department, departments),
        };
        let reasons = audience.applies_to(&self.profile).reasons;
        let untold = reasons
            .iter()
            .any(|reason| reason.aspect == aspect && reason.outcome == Outcome::NotTold);
        if untold && units > 1 { HierarchyLevel::University } else { level }
    }

    /// The level that documents speak for by what they name: with a department, it is no faculty's rule.
    fn voice(
        &self,
        audience: &Audience,
        departments: usize,
        faculties: usize,
    ) -> Option<HierarchyLevel> {
        let metadata = audience.metadata();
        let is_department = !metadata.departments.is_everybody();
        let level = match audience.level() {
            HierarchyLevel::University if !metadata.faculties.is_everybody() => {
                HierarchyLevel::Faculty
            }
            level => level,
        };
        let level = if is_department { HierarchyLevel::Department } else { level };
        let (aspect, names, units) = match level {
            HierarchyLevel::University => return Some(level),
            HierarchyLevel::Faculty => (Aspect::Faculty, &metadata.faculties, faculties),
            HierarchyLevel::Department => (Aspect::Department, &metadata.departments, departments),
        };
        let reasons = audience.applies_to(&self.profile).reasons;
        let is_untold = |aspect| {
            let mut reasons = reasons.iter().filter(|reason| reason.aspect == aspect);
            reasons.any(|reason| reason.outcome == Outcome::NotTold)
        };
        let is_unknown = units > 1 && (is_untold(aspect) || names.is_everybody());
        (!is_unknown).then_some(level)
    }
}

/// Counts the different names of one kind that the audiences have.
fn distinct<'a>(audiences: &'a [Audience], names: impl Fn(&'a Audience) -> &'a [String]) -> usize {
    audiences.iter().flat_map(names).collect::<BTreeSet<_>>().len()
}

/// Returns `true` if a validity has a day in a year.
fn held_in(validity: &Validity, year: u16) -> bool {
    let (Some(first), Some(last)) = (Date::new(year, 1, 1), Date::new(year, 12, 31)) else {
        return false;
    };
    validity.from.is_none_or(|from| from <= last) && validity.until.is_none_or(|it| it >= first)
}
