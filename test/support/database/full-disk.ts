import { open, rm, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const REFILL_EVERY_MS = 20;

/** Keeps the disk of a folder full. Fills it repeatedly, because PostgreSQL frees space when it restarts. */
export class FullDisk {
  readonly #path: string;
  readonly #ended = new AbortController();
  #refills: Promise<void> = Promise.resolve();

  constructor(private readonly folder: string) {
    this.#path = join(folder, 'filler');
  }

  /** Resolves when the disk is full. */
  async begin(): Promise<void> {
    const file = await open(this.#path, 'w');
    await this.#fill(file);
    this.#refills = this.#refill(file);
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.#refills;
    await rm(this.#path);
  }

  async #refill(file: FileHandle): Promise<void> {
    while (!this.#ended.signal.aborted) {
      await this.#fill(file);
      await sleep(REFILL_EVERY_MS);
    }
    await file.close();
  }

  async #fill(file: FileHandle): Promise<void> {
    for (const size of [1_048_576, 4_096, 1]) {
      const bytes = Buffer.alloc(size);
      while ((await statfs(this.folder)).bavail > 0)
        if ((await file.write(bytes).catch(() => undefined)) === undefined) break;
    }
  }
}
