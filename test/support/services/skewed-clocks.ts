import { rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';

/** How often a process reads its clock, several times over. */
const READ_MS = 100;

/** The clocks of several services, which go on from the times that a test sets. */
export class SkewedClocks {
  readonly #skews: number[];

  private constructor(
    private readonly folder: TemporaryFolder,
    skews: readonly number[],
  ) {
    this.#skews = [...skews];
  }

  /** The clocks begin at these times. */
  static async open(...times: readonly number[]): Promise<SkewedClocks> {
    const clocks = new SkewedClocks(
      await temporaryFolder(),
      times.map(() => 0),
    );
    await clocks.set(...times);
    return clocks;
  }

  /** The module that gives a service its clock, and the variables for it. */
  static readonly preload = [resolve(import.meta.dirname, 'skewed-clock.mjs')];

  env(service: number): Record<string, string> {
    return { CLOCK_SKEW_FILE: this.#file(service) };
  }

  /** Resolves when processes that are not delayed have read the new times, Unix milliseconds by service. */
  async set(...times: readonly number[]): Promise<void> {
    const now = Date.now();
    for (const [service, time] of times.entries()) {
      this.#skews[service] = time - now;
      await writeFile(`${this.#file(service)}.new`, String(time - now));
      await rename(`${this.#file(service)}.new`, this.#file(service));
    }
    await sleep(READ_MS);
  }

  /** The time of a service, Unix milliseconds. */
  now(service: number): number {
    return Date.now() + this.#skews[service]!;
  }

  close(): Promise<void> {
    return this.folder.remove();
  }

  #file(service: number): string {
    return join(this.folder.path, `clock-${service}`);
  }
}
