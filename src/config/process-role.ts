/**
 * What this process does for its service. A service is one process, or a supervisor with workers (WORKERS): workers
 * serve inference, the supervisor everything else.
 */
export class ProcessRole {
  constructor(
    /** No background jobs: the supervisor has them. */
    readonly isWorker = false,
    /** The socket of the process that commits to the ledger; undefined = this process. */
    readonly committerSocket?: string,
    /** The socket of the process that counts requests for rate limits; undefined = this process. */
    readonly countersSocket?: string,
  ) {}
}
