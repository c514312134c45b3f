//! Ids of new items.

use pm_tracker_domain::change::{World, token_of};

use super::{
    disk::{Disk, DiskError, random},
    present::is_taken,
};

/// After so many taken ids, tokens become one character longer.
const COLLISIONS: usize = 32;

/// An id that no item and no history has.
pub(super) fn unused(disk: &Disk, world: &World) -> Result<String, DiskError> {
    let settings = world.settings();
    let mut length = settings.token_length;
    loop {
        for _ in 0..COLLISIONS {
            let Some(token) = token_of(&random::<64>()?, length) else { continue };
            let id = format!("{}{token}", settings.id_prefix);
            if !is_taken(disk, &id, world.schema()) {
                return Ok(id);
            }
        }
        length += 1;
    }
}
