//! The macro by which each setting is said once.

/// Defines a table of `campanile.toml`: for each key its doc comment, type, default and range.
///
/// A field reads `name: type = default, rule…;`, where each rule is one of `schemars`
/// (`range(min = 1, max = 50)`, `extend("exclusiveMinimum" = 0)`). The struct reads itself from
/// TOML and refuses unknown keys; its schema carries doc comments, defaults and ranges, from which
/// `campanile-build` checks values and writes the guide. A setting that came after version 0.1.0 says
/// so: `extend("since" = "0.2.0")`.
///
/// ```
/// campanile_bundle::settings! {
///     /// `[page]`.
///     table PageTable {
///         /// The number of columns.
///         columns: u32 = 2, range(min = 1, max = 4);
///     }
/// }
/// assert_eq!(PageTable::default().columns, 2);
/// ```
///
/// With `build` and `kept`, the table is divided. The fields of `build` matter only to the build. Those of
/// `kept` are also a struct of their own, which the manifest holds and the engine reads. With
/// `overrides`, a third struct has the kept fields as options: one question's, or one experiment's.
#[macro_export]
macro_rules! settings {
    (
        $(#[$table_attribute:meta])*
        table $table:ident {
            $( $(#[$attribute:meta])* $name:ident : $type:ty = $default:expr $(, $rule:meta)* ; )*
        }
    ) => {
        $(#[$table_attribute])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields, default)]
        pub struct $table {
            $( $(#[$attribute])* $( #[schemars($rule)] )* pub $name: $type, )*
        }

        impl Default for $table {
            fn default() -> Self {
                Self { $( $name: $default, )* }
            }
        }
    };
    (
        $(#[$table_attribute:meta])*
        table $table:ident;
        build {
            $(
                $(#[$build_attribute:meta])*
                $build_name:ident : $build_type:ty = $build_default:expr $(, $build_rule:meta)* ;
            )*
        }
        $(#[$kept_attribute:meta])*
        kept $kept:ident {
            $( $(#[$attribute:meta])* $name:ident : $type:ty = $default:expr $(, $rule:meta)* ; )*
        }
    ) => {
        $crate::settings! {
            $(#[$table_attribute])*
            table $table {
                $( $(#[$build_attribute])* $build_name: $build_type = $build_default $(, $build_rule)* ; )*
                $( $(#[$attribute])* $name: $type = $default $(, $rule)* ; )*
            }
        }

        impl $table {
            /// The part that the manifest keeps.
            pub fn kept(&self) -> $kept {
                $kept { $( $name: self.$name.clone(), )* }
            }
        }

        $(#[$kept_attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default)]
        pub struct $kept {
            $( $(#[$attribute])* pub $name: $type, )*
        }

        impl Default for $kept {
            fn default() -> Self {
                Self { $( $name: $default, )* }
            }
        }
    };
    (
        $(#[$table_attribute:meta])*
        table $table:ident;
        $(#[$overrides_attribute:meta])*
        overrides $overrides:ident;
        build { $($build:tt)* }
        $(#[$kept_attribute:meta])*
        kept $kept:ident {
            $( $(#[$attribute:meta])* $name:ident : $type:ty = $default:expr $(, $rule:meta)* ; )*
        }
    ) => {
        $crate::settings! {
            $(#[$table_attribute])*
            table $table;
            build { $($build)* }
            $(#[$kept_attribute])*
            kept $kept {
                $( $(#[$attribute])* $name: $type = $default $(, $rule)* ; )*
            }
        }

        $(#[$overrides_attribute])*
        #[derive(
            Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        #[serde(default)]
        pub struct $overrides {
            $(
                $(#[$attribute])*
                #[serde(skip_serializing_if = "Option::is_none")]
                $( #[schemars($rule)] )*
                pub $name: Option<$type>,
            )*
        }

        impl $overrides {
            /// The names of the settings.
            pub const NAMES: &'static [&'static str] = &[$( stringify!($name) ),*];

            /// These settings over a site's.
            pub fn over(&self, site: &$kept) -> $kept {
                $kept { $( $name: self.$name.clone().unwrap_or_else(|| site.$name.clone()), )* }
            }
        }
    };
}
