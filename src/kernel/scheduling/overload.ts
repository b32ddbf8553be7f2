import { HourCounts } from './hour-counts.js';

/** How long an arriving call may wait for the processor, and a settlement for the database, in milliseconds. */
const MAX_PROCESSOR_WAIT_MS = 25;
const MAX_COMMIT_WAIT_MS = 500;
/** Up to this number of calls that are not at a vendor, none is refused, however long they wait. */
const MIN_OWN_CALLS = 128;
/** Number of late calls that are still served before the first refusal, so that a burst is served. */
const BURST_CALLS = 2_000;
/** How long no call must be late before such a burst is served again. */
const CALM_MS = 5_000;
/** The calls of a key are counted over one to two of these periods. */
const WINDOW_MS = 500;
/** Further keys in a window share one count. */
const MAX_KEYS = 10_000;
const OTHER_KEYS = '';

interface Window {
  readonly startedAt: number;
  readonly admitted: Map<string, number>;
  total: number;
}

const newWindow = (startedAt: number): Window => ({ startedAt, admitted: new Map(), total: 0 });

/**
 * Decides which calls this process refuses because it cannot serve all. The processor is the bottleneck if calls that
 * arrived together wait long for their turn; the database is, if settlements wait long for their commit. While waits
 * are too long, a key's calls are refused once the key has its share of the admitted calls.
 */
export class Overload {
  /** When the event loop began to handle the calls that arrived together; undefined = no call has arrived. */
  #turnStartedAt: number | undefined;
  /** How long the previous turn with arriving calls took. */
  #lastTurnMs = 0;
  /** Running calls that do not wait for a vendor. */
  #ownCalls = 0;
  /** Number of late calls that will still be served before one is refused. */
  #burstLeft = BURST_CALLS;
  #lastLateAt = -Infinity;
  #commitsLateUntil = -Infinity;
  #window = newWindow(0);
  #previous = newWindow(0);

  /** Counts the calls that arrived in the last hour, and the refused ones among them. */
  readonly refusals = new HourCounts();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** A call has started, or continues after its vendor responded. */
  callBegan(): void {
    this.#ownCalls++;
  }

  /** A call has ended, or begins to wait for a vendor. */
  callLeft(): void {
    this.#ownCalls--;
  }

  /** Reports how long a settlement waited until it was committed. */
  noteCommit(waitMs: number): void {
    // The next commit is expected to take at most as long.
    this.#commitsLateUntil = waitMs > MAX_COMMIT_WAIT_MS ? this.now() + waitMs : -Infinity;
  }

  /** Whether an arriving call of a key is refused. A call that is not refused is counted. */
  refuses(key: string): boolean {
    const now = this.now();
    if (this.#turnStartedAt === undefined) {
      this.#turnStartedAt = now;
      setImmediate(this.#endTurn);
    }
    const waitMs = Math.max(now - this.#turnStartedAt, this.#lastTurnMs);
    const isLate = waitMs > MAX_PROCESSOR_WAIT_MS || now < this.#commitsLateUntil;
    this.#slideWindow(now);
    if (isLate && this.#ownCalls >= MIN_OWN_CALLS && !this.#isInBurst(now) && this.#hasItsShare(key)) {
      this.refusals.count(true);
      return true;
    }
    this.#count(key);
    return false;
  }

  readonly #endTurn = (): void => {
    this.#lastTurnMs = this.now() - this.#turnStartedAt!;
    this.#turnStartedAt = undefined;
  };

  /** Counts a late call. Returns whether the burst still covers it. */
  #isInBurst(now: number): boolean {
    if (now - this.#lastLateAt > CALM_MS) this.#burstLeft = BURST_CALLS;
    this.#lastLateAt = now;
    return this.#burstLeft-- > 0;
  }

  #slideWindow(now: number): void {
    if (now - this.#window.startedAt < WINDOW_MS) return;
    this.#previous = now - this.#window.startedAt < 2 * WINDOW_MS ? this.#window : newWindow(now);
    this.#window = newWindow(now);
  }

  #hasItsShare(key: string): boolean {
    const { admitted, total } = this.#previous;
    const keys = Math.max(admitted.size, this.#window.admitted.size, 1);
    const of = (window: Window): number => window.admitted.get(key) ?? 0;
    return (of(this.#previous) + of(this.#window)) * keys >= total + this.#window.total;
  }

  #count(key: string): void {
    const { admitted } = this.#window;
    const counted = admitted.size < MAX_KEYS || admitted.has(key) ? key : OTHER_KEYS;
    admitted.set(counted, (admitted.get(counted) ?? 0) + 1);
    this.#window.total++;
  }
}
