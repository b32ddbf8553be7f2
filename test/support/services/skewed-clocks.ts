import { rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';

/** Several times as long as the interval at which a process reads its clock file. */
const READ_MS = 100;

/** The clocks of several services, which continue from the times that a test sets. */
export class SkewedClocks {
  readonly #skews: number[];

  private constructor(
    private readonly folder: TemporaryFolder,
    skews: readonly number[],
  ) {
    this.#skews = [...skews];
  }

  /** Starts the clocks at these times. */
  static async open(...times: readonly number[]): Promise<SkewedClocks> {
    const clocks = new SkewedClocks(
      await temporaryFolder(),
      times.map(() => 0),
    );
    await clocks.set(...times);
    return clocks;
  }

  /** The module that shifts the clock of a service. */
  static readonly preload = [resolve(import.meta.dirname, 'skewed-clock.mjs')];

  env(service: number): Record<string, string> {
    return { CLOCK_SKEW_FILE: this.#file(service) };
  }

  /** Sets the times in Unix milliseconds, by service. Resolves after they were read, unless a process is delayed. */
  async set(...times: readonly number[]): Promise<void> {
    const now = Date.now();
    for (const [service, time] of times.entries()) {
      this.#skews[service] = time - now;
      await writeFile(`${this.#file(service)}.new`, String(time - now));
      await rename(`${this.#file(service)}.new`, this.#file(service));
    }
    await sleep(READ_MS);
  }

  /** The time of a service in Unix milliseconds. */
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
