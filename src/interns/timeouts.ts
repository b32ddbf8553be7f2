/** How long an intern may be queued, as an SQL interval. */
export const QUEUE_TIMEOUT = `interval '10 minutes'`;
/** How long the teardown of a deleted intern may take, retries included, as an SQL interval. */
export const TEARDOWN_TIMEOUT = `interval '2 minutes'`;
/** How long the teardown may take if the job has no deadline. */
export const DEFAULT_TEARDOWN_TIMEOUT_MS = 120_000;
/** How long a runtime may take to boot again after it ended. */
export const BOOT_TIMEOUT_MS = 120_000;
