//! The levels of the university, and what it is worth that one of them speaks.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::date::Date;

/// The level of a document in the university. What is nearer to the student comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "snake_case")]
pub enum HierarchyLevel {
    /// For the whole university.
    University,
    /// For a faculty.
    Faculty,
    /// For a department.
    Department,
}

/// The points that levels and newness are worth to a site; by default what the academic advisor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LevelPoints {
    /// The points of a department's document.
    pub department: u32,
    /// The points of a faculty's.
    pub faculty: u32,
    /// The points of the university's.
    pub university: u32,
    /// The most that a document gains by being new.
    pub freshness: u32,
    /// The years after which nothing is left of that; 0 gives none.
    pub freshness_years: u32,
}

impl Default for LevelPoints {
    /// The values of the academic advisor's ontology-based ranking (stage 3): a department's rule overrides the
    /// faculty's, and that the university's; being new is worth `max(0, 15 · (1 − age / 5))`.
    fn default() -> Self {
        // The steps are larger than all that newness can add, so that it never turns two levels round.
        Self { department: 100, faculty: 50, university: 20, freshness: 15, freshness_years: 5 }
    }
}

impl LevelPoints {
    /// The points of a document of this level and date; without either day it is not new, and a date in the future
    /// counts as today's.
    ///
    /// ```
    /// use campanile_corpus::metadata::{Date, HierarchyLevel, LevelPoints};
    ///
    /// let (points, level) = (LevelPoints::default(), HierarchyLevel::Faculty);
    /// let today: Date = "2026-11-20".parse()?;
    /// assert_eq!(points.of(level, Some(today), Some(today)), 65.0);
    /// assert!((points.of(level, Some("2024-05-21".parse()?), Some(today)) - 57.5).abs() < 0.01);
    /// assert_eq!(points.of(level, Some("2020-01-01".parse()?), Some(today)), 50.0);
    /// # Ok::<(), campanile_corpus::metadata::NotADate>(())
    /// ```
    pub fn of(&self, level: HierarchyLevel, date: Option<Date>, today: Option<Date>) -> f64 {
        let level = match level {
            HierarchyLevel::Department => self.department,
            HierarchyLevel::Faculty => self.faculty,
            HierarchyLevel::University => self.university,
        };
        let fresh = date.zip(today).filter(|_| self.freshness_years > 0).map(|(date, today)| {
            let age_years = today.years_since(date).max(0.0);
            let left = 1.0 - age_years / f64::from(self.freshness_years);
            (f64::from(self.freshness) * left).max(0.0)
        });
        f64::from(level) + fresh.unwrap_or_default()
    }
}

impl HierarchyLevel {
    /// All levels, the nearest to the student first.
    pub const ALL: [Self; 3] = [Self::Department, Self::Faculty, Self::University];

    /// The level of a name, in either case.
    pub fn of(name: &str) -> Option<Self> {
        let name = name.trim();
        Self::ALL.into_iter().find(|level| level.name().eq_ignore_ascii_case(name))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Department => "department",
            Self::Faculty => "faculty",
            Self::University => "university",
        }
    }
}

impl fmt::Display for HierarchyLevel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
