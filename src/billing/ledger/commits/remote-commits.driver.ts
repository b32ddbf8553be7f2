import { DatabaseUnavailable } from '../../../kernel/errors/database-unavailable.js';
import { LocalClient, LocalServerUnavailable } from '../../../kernel/processes/local-client.driver.js';
import type { CommitRequest, CommitResponse } from './commit-messages.js';
import {
  LedgerCommits,
  type FinishItem,
  type FinishOutcome,
  type LeasedFinishItem,
  type ReserveItem,
} from './ledger-commits.port.js';

/** Commits through the committer, a process that serves all workers of a machine. */
export class RemoteCommits extends LedgerCommits {
  readonly #committer: LocalClient;

  constructor(
    /** The path of the committer's socket. */
    path: string,
    /** How long an item waits for its outcome, in milliseconds. */
    private readonly timeoutMs: number,
  ) {
    super();
    this.#committer = new LocalClient(path);
  }

  reserve(item: ReserveItem, until = Infinity): Promise<string> {
    const leftMs = Math.max(0, until - performance.now());
    const request: CommitRequest = { of: 'reserve', item, leftMs: Number.isFinite(leftMs) ? Math.floor(leftMs) : null };
    return this.#request(request, Math.min(this.timeoutMs, leftMs));
  }

  finish(item: FinishItem): Promise<FinishOutcome> {
    return this.#request({ of: 'finish', item }, this.timeoutMs) as Promise<FinishOutcome>;
  }

  finishLeased(item: LeasedFinishItem): Promise<FinishOutcome> {
    return this.#request({ of: 'finishLeased', item }, this.timeoutMs) as Promise<FinishOutcome>;
  }

  idle(): Promise<void> {
    return this.#committer.idle();
  }

  /** Throws DatabaseUnavailable while the committer is down, so that the caller retries as it does for the database. */
  async #request(request: CommitRequest, timeoutMs: number): Promise<string> {
    const response = await this.#committer.request(request, timeoutMs).catch((error: unknown) => {
      if (!(error instanceof LocalServerUnavailable)) throw error;
      throw new DatabaseUnavailable(
        `the committer process of this service is not available: ${error.message}`,
        undefined,
        {
          cause: error,
        },
      );
    });
    return outcomeOf(response as CommitResponse);
  }
}

function outcomeOf(response: CommitResponse): string {
  if ('outcome' in response) return response.outcome;
  throw response.isUnavailable ? new DatabaseUnavailable(response.failure) : new Error(response.failure);
}
