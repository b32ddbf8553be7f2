import { isDatabaseUnavailable } from '../../../database/database-faults.js';
import type { CommitRequest, CommitResponse } from './commit-messages.js';
import type { LedgerCommits } from './ledger-commits.port.js';

/** Commits the reservations and settlements of several processes, in shared batches. */
export class CommitServer {
  /** Open items by kind and id. If a client sends an open item again, both requests get the same response. */
  readonly #open = new Map<string, Promise<CommitResponse>>();

  constructor(private readonly commits: LedgerCommits) {}

  respond(request: CommitRequest): Promise<CommitResponse> {
    const key = `${request.of} ${request.item.id}`;
    let response = this.#open.get(key);
    if (!response) {
      response = this.#commit(request).finally(() => this.#open.delete(key));
      this.#open.set(key, response);
    }
    return response;
  }

  async #commit(request: CommitRequest): Promise<CommitResponse> {
    try {
      return { outcome: await this.#submit(request) };
    } catch (error) {
      return { failure: (error as Error).message, isUnavailable: isDatabaseUnavailable(error) };
    }
  }

  #submit(request: CommitRequest): Promise<string> {
    switch (request.of) {
      case 'reserve':
        return this.commits.reserve(request.item, performance.now() + (request.leftMs ?? Infinity));
      case 'finish':
        return this.commits.finish(request.item);
      default:
        return this.commits.finishLeased(request.item);
    }
  }
}
