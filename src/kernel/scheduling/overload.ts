/** How long an arriving call may wait for the processor, and a settlement for the database, in milliseconds. */
const MAX_PROCESSOR_WAIT_MS = 25;
const MAX_COMMIT_WAIT_MS = 500;
/** Calls that may be under way and not at a vendor, whatever their wait: so many callers are never refused. */
const MIN_OWN_CALLS = 128;
/** Calls that are served late before the first is refused: a burst is served. */
const BURST_CALLS = 2_000;
/** For how long no call must have been late, before such a burst is served again. */
const CALM_MS = 5_000;
/** Calls of a key are counted for one to two of these periods. */
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
 * Decides which calls this process refuses because it cannot serve all. The processor is the bottleneck where the calls
 * that arrived together wait long for their turn, the database where settlements wait long for their commit. While
 * waits are too long, a key has calls refused as soon as it has its share of those that were admitted.
 */
export class Overload {
  /** When the event loop began to handle the calls that arrived together; undefined = none has arrived. */
  #turnStartedAt: number | undefined;
  /** How long the previous turn with arriving calls took. */
  #lastTurnMs = 0;
  /** Calls under way that do not wait for a vendor. */
  #ownCalls = 0;
  /** Calls that may still be late before one is refused. */
  #burstLeft = BURST_CALLS;
  #lastLateAt = -Infinity;
  #commitsLateUntil = -Infinity;
  #window = newWindow(0);
  #previous = newWindow(0);

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** A call has started, or continues after its vendor responded. */
  callBegan(): void {
    this.#ownCalls++;
  }

  /** A call has ended, or waits for a vendor now. */
  callLeft(): void {
    this.#ownCalls--;
  }

  /** Receives how long a settlement waited until it was committed. */
  noteCommit(waitMs: number): void {
    // The next commit is expected to take as long, at most.
    this.#commitsLateUntil = waitMs > MAX_COMMIT_WAIT_MS ? this.now() + waitMs : -Infinity;
  }

  /** Whether an arriving call of a key is refused. Counts it if it is not. */
  refuses(key: string): boolean {
    const now = this.now();
    if (this.#turnStartedAt === undefined) {
      this.#turnStartedAt = now;
      setImmediate(this.#endTurn);
    }
    const waitMs = Math.max(now - this.#turnStartedAt, this.#lastTurnMs);
    const isLate = waitMs > MAX_PROCESSOR_WAIT_MS || now < this.#commitsLateUntil;
    this.#slideWindow(now);
    if (isLate && this.#ownCalls >= MIN_OWN_CALLS && !this.#isInBurst(now) && this.#hasItsShare(key)) return true;
    this.#count(key);
    return false;
  }

  readonly #endTurn = (): void => {
    this.#lastTurnMs = this.now() - this.#turnStartedAt!;
    this.#turnStartedAt = undefined;
  };

  /** Notes a late call. */
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
