//! A model's server is asked by the certificates that the environment names.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

#[path = "../../http/tests/support/encrypted.rs"]
mod encrypted;

use campanile_desk::service::Service;

#[test]
fn a_model_is_asked_by_the_certificates_of_the_environment() {
    let test = "a_model_is_asked_by_the_certificates_of_the_environment";
    encrypted::goes_by_ssl_cert_file(test, |address| {
        let service =
            Service::new(address, "small", None, 20).map_err(|error| error.to_string())?;
        service.reply(&[], 1).map_err(|error| error.to_string())
    });
}
