import { setTimeout as sleep } from 'node:timers/promises';
import type { ProbedService } from '../support/services/probed-service.js';
import { leastStall, stallLimitMs, stallMs } from '../support/services/stall-limit.js';
import { bytesOf, type FuzzRequest } from './requests/fuzz-request.js';
import type { Sender } from './sender.js';

const WINDOW_MS = 200;
const MAX_SUSPECTS = 12;
/** The number of windows whose requests are confirmed in one run. */
const MAX_CONFIRMED_WINDOWS = 60;

interface Window {
  readonly stall: number;
  readonly requests: readonly FuzzRequest[];
}

/**
 * Measures the event loop inside the service while many requests are running. If the loop was blocked for longer than
 * the limit in a window, the requests of that window are suspects. Each suspect is sent again alone, and only the stall
 * that it causes alone is a finding.
 */
export class StallWatch {
  readonly #underWay = new Set<FuzzRequest>();
  #inWindow = new Set<FuzzRequest>();
  readonly #suspicious: Window[] = [];
  #isWatching = true;
  #isPaused = false;
  #turn: Promise<void> = Promise.resolve();
  longestMs = 0;
  /** The longest stall of a request that was sent alone, in milliseconds. */
  longestAloneMs = 0;
  suspiciousWindows = 0;

  constructor(
    private readonly service: ProbedService,
    private readonly sender: Sender,
  ) {
    void this.#watch();
  }

  begin(request: FuzzRequest): void {
    this.#underWay.add(request);
    this.#inWindow.add(request);
  }

  end(request: FuzzRequest): void {
    this.#underWay.delete(request);
  }

  stop(): void {
    this.#isWatching = false;
  }

  /**
   * Runs `work` and then sends the suspects one by one. Call it while no request is running. Returns the requests that
   * block the event loop when they are sent alone.
   */
  async judge(work: () => Promise<void>): Promise<{ request: FuzzRequest; ms: number }[]> {
    this.#isPaused = true;
    await this.#turn;
    await work();
    const found: { request: FuzzRequest; ms: number }[] = [];
    for (const { requests } of this.#suspicious.splice(0)) {
      for (const request of requests) {
        const ms = await this.#alone(request);
        this.longestAloneMs = Math.max(this.longestAloneMs, ms);
        if (ms > stallLimitMs(bytesOf(request))) found.push({ request, ms });
      }
    }
    await this.service.resetStall();
    this.#inWindow = new Set();
    this.#isPaused = false;
    return found;
  }

  async #watch(): Promise<void> {
    while (this.#isWatching) {
      await sleep(WINDOW_MS);
      if (this.#isPaused) continue;
      this.#turn = this.#look().catch(() => void (this.#isWatching = false));
      await this.#turn;
    }
  }

  async #look(): Promise<void> {
    const requests = [...this.#inWindow];
    this.#inWindow = new Set(this.#underWay);
    const stall = stallMs(await this.service.longestStall());
    await this.service.resetStall();
    this.longestMs = Math.max(this.longestMs, stall);
    const bytes = requests.reduce((sum, request) => sum + bytesOf(request), 0);
    if (stall <= stallLimitMs(bytes)) return;
    this.suspiciousWindows++;
    if (this.suspiciousWindows > MAX_CONFIRMED_WINDOWS) return;
    this.#suspicious.push({
      stall,
      requests: requests.toSorted((a, b) => bytesOf(b) - bytesOf(a)).slice(0, MAX_SUSPECTS),
    });
  }

  async #alone(request: FuzzRequest): Promise<number> {
    return leastStall(this.service, bytesOf(request), async () => void (await this.sender.send(request)));
  }
}
