// Retries.
