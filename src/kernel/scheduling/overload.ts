import { HourCounts } from './hour-counts.js';
import { EventLoopLoad, type ProcessLoad } from './process-load.js';
import { WaitingCalls } from './waiting-calls.js';

/** The processor is busy if the event loop was active for this share of a period. */
const BUSY_SHARE = 0.95;
const PERIOD_MS = 100;
/**
 * While the processor is busy, the number of running calls is limited to the number that leave within this time at the
 * recent rate, but at least to MIN_RUNNING_CALLS. A call leaves when it ends or begins to wait for a vendor.
 */
const MAX_STAGE_MS = 20;
const MIN_RUNNING_CALLS = 64;
/** An arriving call may be refused if its expected wait is longer. */
const MAX_WAIT_MS = 50;
/** No call is refused while fewer than this number run or wait. */
const MIN_CALLS = 128;
/** If a settlement waits longer for its commit, arriving calls may be refused. */
const MAX_COMMIT_WAIT_MS = 500;
/** Number of calls beyond MAX_WAIT_MS or MAX_COMMIT_WAIT_MS that are served before a call is refused. */
const BURST_CALLS = 2_000;
/** After this time without a call beyond these limits, another BURST_CALLS calls are served. */
const CALM_MS = 5_000;
const MAX_WAITING_CALLS = 4_000;
/** Number of waiting calls that start in each period even if no running call leaves. */
const MIN_STARTS = 8;
/** Calls are counted in windows of this length. A rate is measured over one to two windows. */
const WINDOW_MS = 500;
/** Maximum number of keys that are counted separately in a window. Further keys share one count. */
const MAX_KEYS = 10_000;
const OTHER_KEYS = ' others';

interface Window {
  readonly startedAt: number;
  /** Number of admitted calls by key. */
  readonly admitted: Map<string, number>;
  total: number;
  /** Number of calls that started to run. */
  started: number;
  /** Number of calls that ended, or began to wait for a vendor. */
  left: number;
}

const newWindow = (startedAt: number): Window => ({ startedAt, admitted: new Map(), total: 0, started: 0, left: 0 });

/**
 * Decides for each call whether this process starts it, lets it wait or refuses it. While the processor is busy, the
 * number of running calls is limited, because each call costs more processor time if thousands run. Other calls wait,
 * and their keys take turns. A call is refused if its expected wait is too long and its key has its share of the
 * waiting calls, or if commits take too long and its key has its share of the admitted calls.
 */
export class Overload {
  /** Running calls that do not wait for a vendor. */
  #running = 0;
  /** Calls that were started in this turn of the event loop and are not in `#running` yet. */
  #starting = 0;
  /** Calls that were started in the previous turn of the event loop and are not in `#running` yet. */
  #startingBefore = 0;
  readonly #waiting = new WaitingCalls();
  #isTurnScheduled = false;
  #timer: NodeJS.Timeout | undefined;
  #isBusy = false;
  #measuredAt = -Infinity;
  /** Number of calls beyond the limits that will still be served before a call is refused. */
  #burstLeft = BURST_CALLS;
  #lastLateAt = -Infinity;
  #commitsLateUntil = -Infinity;
  #window = newWindow(0);
  #previous = newWindow(0);

  /** Counts the refused calls of the last hour, each as a request and as an error. */
  readonly refusals = new HourCounts();

  constructor(private readonly load: ProcessLoad = new EventLoopLoad()) {}

  /** Number of calls that wait to be started. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * A started call begins to run, and is no longer counted as started. The counts do not identify calls: if a call
   * begins later than in the turn after its start, the count of newer calls is reduced.
   */
  callBegan(): void {
    this.#running++;
    if (this.#startingBefore > 0) this.#startingBefore--;
    else if (this.#starting > 0) this.#starting--;
  }

  /** A call continues after its vendor responded. */
  callReturned(): void {
    this.#running++;
  }

  /** A call has ended, or begins to wait for a vendor. */
  callLeft(): void {
    this.#running--;
    this.#window.left++;
    if (this.#waiting.size > 0) this.#scheduleTurn();
  }

  /** Records how long a settlement waited until it was committed. */
  recordCommitWait(waitMs: number): void {
    // The next commit is expected to take no longer than this one.
    this.#commitsLateUntil = waitMs > MAX_COMMIT_WAIT_MS ? this.load.now() + waitMs : -Infinity;
  }

  /** Whether calls wait, or may be refused because of late commits. */
  get isStrained(): boolean {
    return this.#waiting.size > 0 || this.load.now() < this.#commitsLateUntil;
  }

  /** Decides about an arriving call of a key. The caller starts the call (`start`), or passes it to `wait`. */
  decide(key: string): 'start' | 'wait' | 'refuse' {
    const now = this.load.now();
    this.#measure(now);
    const mustWait = this.#waiting.size > 0 || (this.#isBusy && this.#room(now) <= 0);
    const isBeyondLimits =
      (mustWait && this.#waitsTooLong(key, now)) || (now < this.#commitsLateUntil && this.#hasItsShare(key));
    const calls = this.#running + this.#starting + this.#startingBefore + this.#waiting.size;
    if (this.#waiting.size >= MAX_WAITING_CALLS || (isBeyondLimits && calls >= MIN_CALLS && !this.#isInBurst(now))) {
      this.refusals.count(true);
      return 'refuse';
    }
    this.#count(key);
    if (mustWait) return 'wait';
    this.#noteStart();
    return 'start';
  }

  /**
   * Calls `start` when it is the call's turn. `start` returns false if the call did not start, because its caller had
   * disconnected.
   */
  wait(key: string, start: () => boolean): void {
    this.#waiting.add(key, start);
    this.#scheduleTurn();
  }

  /** Starts waiting calls at the end of a turn of the event loop. */
  readonly #endTurn = (): void => {
    this.#isTurnScheduled = false;
    this.#startingBefore = this.#starting;
    this.#starting = 0;
    if (this.#waiting.size === 0) return;
    const now = this.load.now();
    this.#measure(now);
    const room = this.#room(now);
    // If the processor is not busy, all calls start within some turns. The load is measured again in each period.
    this.#startUpTo(this.#isBusy ? room : Math.max(room, MIN_RUNNING_CALLS));
    // Started calls may end without running. The next turn removes them from the count.
    if (this.#startingBefore > 0) this.#scheduleTurn();
    // If no call leaves, the timer starts some calls and schedules the next turn.
    if (this.#waiting.size > 0 && !this.#timer) this.#timer = setTimeout(this.#endPeriod, PERIOD_MS).unref();
  };

  /**
   * Starts MIN_STARTS calls without regard to the limit, so that running calls that never leave cannot block the queue.
   */
  readonly #endPeriod = (): void => {
    this.#timer = undefined;
    this.#startUpTo(MIN_STARTS);
    this.#scheduleTurn();
  };

  #startUpTo(room: number): void {
    let remaining = room;
    while (remaining > 0) {
      const start = this.#waiting.take();
      if (!start) return;
      if (!start()) continue;
      // No call runs before start() returns, so the start can be counted here.
      this.#noteStart();
      remaining--;
    }
  }

  #scheduleTurn(): void {
    if (this.#isTurnScheduled) return;
    this.#isTurnScheduled = true;
    setImmediate(this.#endTurn);
  }

  #noteStart(): void {
    this.#starting++;
    this.#window.started++;
    this.#scheduleTurn();
  }

  #measure(now: number): void {
    if (now - this.#window.startedAt >= WINDOW_MS) {
      this.#previous = now - this.#window.startedAt < 2 * WINDOW_MS ? this.#window : newWindow(now);
      this.#window = newWindow(now);
    }
    if (now - this.#measuredAt < PERIOD_MS) return;
    this.#measuredAt = now;
    this.#isBusy = this.load.activeShare() >= BUSY_SHARE;
  }

  /** How many more calls may run while the processor is busy. */
  #room(now: number): number {
    const left = (this.#previous.left + this.#window.left) * (MAX_STAGE_MS / this.#countedMs(now));
    return Math.max(left, MIN_RUNNING_CALLS) - this.#running - this.#starting - this.#startingBefore;
  }

  /** Whether a further waiting call of the key would wait for too long. Each key has an equal share of the queue. */
  #waitsTooLong(key: string, now: number): boolean {
    const startedSoon = (this.#previous.started + this.#window.started) * (MAX_WAIT_MS / this.#countedMs(now));
    const places = Math.max(startedSoon, MIN_CALLS - MIN_RUNNING_CALLS);
    const own = this.#waiting.of(key);
    const keys = this.#waiting.keys + (own === 0 ? 1 : 0);
    return own * keys >= places;
  }

  #countedMs(now: number): number {
    return Math.max(now - this.#previous.startedAt, WINDOW_MS);
  }

  /** Counts a call beyond the limits. Returns whether the call still counts as part of the burst. */
  #isInBurst(now: number): boolean {
    if (now - this.#lastLateAt > CALM_MS) this.#burstLeft = BURST_CALLS;
    this.#lastLateAt = now;
    return this.#burstLeft-- > 0;
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
