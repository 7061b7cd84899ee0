//! Numbers beyond which a configuration is taken for damaged, since memory is set aside by them.

/// The most layers of a model.
pub(crate) const LAYER_LIMIT: usize = 1024;

/// The most positions of a model.
pub(crate) const POSITION_LIMIT: usize = 1 << 20;
