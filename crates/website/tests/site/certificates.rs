//! The fetch goes by the certificates that the environment names.

#[path = "../../../http/tests/support/encrypted.rs"]
mod encrypted;

use crate::options;
use campanile_website::{HttpTransport, Transport, TransportError};

#[test]
fn a_website_is_fetched_by_the_certificates_of_the_environment() {
    let test = "certificates::a_website_is_fetched_by_the_certificates_of_the_environment";
    encrypted::goes_by_ssl_cert_file(test, |address| {
        let mut transport = HttpTransport::new(&options(&[])).map_err(|error| error.to_string())?;
        let mut reply =
            transport.get(&address.parse().unwrap(), &[]).map_err(|error| match error {
                TransportError::Final(reason) => reason,
                TransportError::Passing(reason) => panic!("asked again in vain: {reason}"),
            })?;
        let mut text = String::new();
        reply.body.read_to_string(&mut text).map_err(|error| error.to_string())?;
        Ok(text)
    });
}
