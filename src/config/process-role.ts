/**
 * The role of this process in its service. A service is one process, or a supervisor with workers and a committer
 * (WORKERS). Workers serve inference, the committer commits reservations and settlements, and the supervisor does
 * everything else.
 */
export class ProcessRole {
  constructor(
    /** If true, the process runs no background jobs, because the supervisor runs them. */
    readonly isWorker = false,
    /** The socket of the process that commits to the ledger; undefined = this process. */
    readonly committerSocket?: string,
    /** The socket of the process that counts requests for rate limits; undefined = this process. */
    readonly countersSocket?: string,
  ) {}
}
