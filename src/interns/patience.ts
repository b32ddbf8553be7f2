/** How long an intern may wait in the queue, as SQL. */
export const QUEUED_FOR = `interval '10 minutes'`;
/** How long a teardown may take, with all its repetitions. */
export const DESTROYING_FOR = `interval '2 minutes'`;
