import { connect, type Socket } from 'node:net';
import { DatabaseUnavailable } from '../../../kernel/errors/database-unavailable.js';
import type { CommitRequest, CommitResponse } from './commit-messages.js';
import {
  LedgerCommits,
  type FinishItem,
  type FinishOutcome,
  type LeasedFinishItem,
  type ReserveItem,
} from './ledger-commits.port.js';
import { MessageLines, readMessageLines } from './message-lines.js';

const CHECK_EVERY_MS = 100;
const AWAY = 'the committer of this service does not respond';

interface OpenItem {
  readonly promise: Promise<string>;
  readonly resolve: (outcome: string) => void;
  readonly reject: (error: Error) => void;
  /** When its outcome is given up, of performance.now(). */
  readonly until: number;
}

type Connection = { readonly socket: Socket; readonly lines: MessageLines<CommitRequest> };

/** Commits through the committer, a process that serves all workers of a machine. */
export class RemoteCommits extends LedgerCommits {
  readonly #open = new Map<number, OpenItem>();
  #connection: Connection | undefined;
  #last = 0;
  #checks: NodeJS.Timeout | undefined;

  constructor(
    private readonly path: string,
    /** How long an item waits for its outcome, in milliseconds. */
    private readonly timeoutMs: number,
  ) {
    super();
  }

  reserve(item: ReserveItem, until = Infinity): Promise<string> {
    const leftMs = until - performance.now();
    const left = Number.isFinite(leftMs) ? Math.max(0, Math.floor(leftMs)) : null;
    return this.#submit((n) => ({ of: 'reserve', n, item, leftMs: left }), Math.min(this.timeoutMs, leftMs));
  }

  finish(item: FinishItem): Promise<FinishOutcome> {
    return this.#submit((n) => ({ of: 'finish', n, item }), this.timeoutMs) as Promise<FinishOutcome>;
  }

  finishLeased(item: LeasedFinishItem): Promise<FinishOutcome> {
    return this.#submit((n) => ({ of: 'finishLeased', n, item }), this.timeoutMs) as Promise<FinishOutcome>;
  }

  async idle(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled([...this.#open.values()].map(({ promise }) => promise));
  }

  close(): void {
    this.#connection?.socket.destroy();
  }

  #submit(requestOf: (n: number) => CommitRequest, timeoutMs: number): Promise<string> {
    const n = ++this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#open.set(n, { promise, resolve, reject, until: performance.now() + timeoutMs });
    this.#checks ??= setInterval(() => this.#giveUpLate(), CHECK_EVERY_MS);
    (this.#connection ??= this.#connect()).lines.send(requestOf(n));
    return promise;
  }

  #connect(): Connection {
    const socket = connect(this.path);
    const connection = { socket, lines: new MessageLines<CommitRequest>(socket) };
    readMessageLines(socket, (message) => this.#receive(message as CommitResponse));
    // 'close' follows.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      if (this.#connection === connection) this.#connection = undefined;
      for (const n of this.#open.keys()) this.#take(n)!.reject(new DatabaseUnavailable(AWAY));
    });
    return connection;
  }

  #receive(response: CommitResponse): void {
    // Undefined if it was given up.
    const item = this.#take(response.n);
    if ('outcome' in response) item?.resolve(response.outcome);
    else item?.reject(response.isUnavailable ? new DatabaseUnavailable(response.failure) : new Error(response.failure));
  }

  #giveUpLate(): void {
    const now = performance.now();
    for (const [n, { until }] of this.#open) if (now >= until) this.#take(n)!.reject(new DatabaseUnavailable(AWAY));
  }

  #take(n: number): OpenItem | undefined {
    const item = this.#open.get(n);
    this.#open.delete(n);
    if (this.#open.size === 0) {
      clearInterval(this.#checks);
      this.#checks = undefined;
    }
    return item;
  }
}
