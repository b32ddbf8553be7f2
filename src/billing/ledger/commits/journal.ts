import type { Sql } from '../../../database/sql.js';
import { Periodic } from '../../../kernel/scheduling/periodic.js';
import { postJournal } from './journal-posts.js';
import type { LeasedFinishItem } from './ledger-commits.port.js';

/** Calls are posted together after this time, or when there are this many. */
const POST_DELAY_MS = 200;
const POST_CALLS = 500;
/** An entry gets no more calls once its texts are this long, so that its row stays in one page. */
const FULL_ENTRY_CHARS = 5_000;
/** While more calls than this are not posted, a write waits for the next post. */
const MAX_UNPOSTED_CALLS = 20_000;

/** The number of parameters of `ledger_write_journal`. */
const COLUMNS = 8;

/** Calls of one lease that are written to the journal in one row. */
class JournalEntry {
  readonly calls: LeasedFinishItem[] = [];
  #items = '';
  #usages = '';
  #details = '';
  #tags: string | null = null;

  constructor(private readonly lease: Pick<LeasedFinishItem, 'accountNo' | 'leaseId' | 'keyDay'>) {}

  get accountNo(): number {
    return this.lease.accountNo;
  }

  get isFull(): boolean {
    return this.#items.length + this.#usages.length + this.#details.length >= FULL_ENTRY_CHARS;
  }

  /** The parameters of `ledger_write_journal`. */
  get columns(): (string | number | null)[] {
    const { accountNo, leaseId, keyDay } = this.lease;
    const { unsettledCalls } = this.calls.at(-1)!;
    return [accountNo, leaseId, keyDay, unsettledCalls, this.#items, this.#usages, this.#details, this.#tags];
  }

  add(call: LeasedFinishItem): void {
    const comma = this.calls.length === 0 ? '' : ',';
    this.calls.push(call);
    this.#items += comma + call.finish;
    this.#usages += comma + call.usage;
    this.#details += comma + call.detail;
    if (call.tags)
      this.#tags = `${this.#tags === null ? '' : `${this.#tags},`}"${call.id}":${JSON.stringify(call.tags)}`;
  }
}

/**
 * Writes calls that ended on credit leases to the journal of the ledger, durably, and posts them to the balances a
 * little later, many at once. If this fails or the process dies, the sweeper posts them.
 */
export class Journal {
  /** The accounts with calls that were not posted. */
  #accounts = new Set<number>();
  #unpostedCalls = 0;
  /** Whether the last post failed. The next one then also reads old entries. */
  #isLate = false;
  #isScheduled = false;
  readonly #posts = new Periodic(
    () => this.#post(),
    () => {
      this.#isLate = true;
      this.#schedule();
    },
  );

  constructor(
    private readonly sql: Sql,
    /** Receives the number of calls that were posted together, and the seconds that it took. */
    private readonly onPost: (calls: number, seconds: number) => void = () => undefined,
  ) {}

  /** Returns the calls that were written. A call is not written if its lease is closed. */
  async write(calls: readonly LeasedFinishItem[]): Promise<ReadonlySet<LeasedFinishItem>> {
    if (calls.length === 0) return new Set();
    if (this.#unpostedCalls >= MAX_UNPOSTED_CALLS) await this.#posts.trigger();
    const entries = entriesOf(calls);
    try {
      const writes = entries.map((_, at) => `ledger_write_journal(${parametersFrom(at * COLUMNS)}) as "${at}"`);
      const [row] = await this.sql.query<Record<string, boolean>>(
        `select ${writes.join(', ')}`,
        entries.flatMap(({ columns }) => columns),
      );
      return new Set(entries.flatMap((entry, at) => (row![at] ? entry.calls : [])));
    } finally {
      // Even if the statement failed, it may be committed.
      for (const { accountNo } of entries) this.#accounts.add(accountNo);
      this.#unpostedCalls += calls.length;
      if (this.#unpostedCalls >= POST_CALLS) void this.#posts.trigger();
      else this.#schedule();
    }
  }

  /** Resolves when the calls that were written before are posted, or the attempt has failed. */
  async post(): Promise<void> {
    if (this.#accounts.size > 0) await this.#posts.trigger();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => {
      this.#isScheduled = false;
      void this.#posts.trigger();
    }, POST_DELAY_MS).unref();
  }

  async #post(): Promise<void> {
    const accounts = this.#accounts;
    const calls = this.#unpostedCalls;
    const maxAgeMs = this.#isLate ? null : undefined;
    this.#accounts = new Set();
    const startedAt = performance.now();
    try {
      for (const account of accounts) {
        await postJournal(this.sql, account, maxAgeMs);
        accounts.delete(account);
      }
    } catch (error) {
      for (const account of accounts) this.#accounts.add(account);
      throw error;
    }
    this.#unpostedCalls -= calls;
    this.#isLate = false;
    if (calls > 0) this.onPost(calls, (performance.now() - startedAt) / 1000);
  }
}

function entriesOf(calls: readonly LeasedFinishItem[]): readonly JournalEntry[] {
  const entries: JournalEntry[] = [];
  const last = new Map<string, JournalEntry>();
  for (const call of calls) {
    let entry = last.get(call.leaseId);
    if (!entry || entry.isFull) {
      entry = new JournalEntry(call);
      last.set(call.leaseId, entry);
      entries.push(entry);
    }
    entry.add(call);
  }
  return entries;
}

const parametersFrom = (start: number): string =>
  Array.from({ length: COLUMNS }, (_, at) => `$${start + at + 1}`).join(', ');
