import { cp, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { RandomNumbers } from '../random-numbers.js';

/** The size of an atomic write of a disk. A page of PostgreSQL has two sectors. */
const SECTOR_BYTES = 4_096;
/** Files that PostgreSQL writes at any time and synchronises at a checkpoint. */
const UNSYNCED = ['base', 'global', 'pg_xact', 'pg_multixact'];
/** Files in the folders above that are not reverted: PostgreSQL synchronises them at each change, or rewrites them. */
const SYNCED = /^(pg_control|pg_filenode\.map|pg_internal\.init|PG_VERSION)$/;

/** The effects of a power loss. */
export interface LostWrites {
  /** Bytes from the last synchronised position of the log to the last written byte of its segment. */
  readonly walBytes: number;
  /** Sectors of data files that differ from the copy, and how many of them were reverted. */
  readonly changedSectors: number;
  readonly lostSectors: number;
}

/**
 * Simulates a power loss on the data folder of a killed PostgreSQL. Removes the log after the last synchronised
 * position, and reverts random sectors of data files that changed since the copy. No checkpoint may start between
 * `afterCheckpoint` and `take`.
 */
export class PowerLoss {
  private constructor(
    private readonly dataFolder: string,
    private readonly copy: string,
  ) {}

  /** Copies the data files. Call it after a checkpoint, while the server is frozen. `copy` must not exist. */
  static async afterCheckpoint(dataFolder: string, copy: string): Promise<PowerLoss> {
    for (const folder of UNSYNCED)
      await cp(join(dataFolder, folder), join(copy, folder), { recursive: true, preserveTimestamps: true });
    return new PowerLoss(dataFolder, copy);
  }

  /** `flushed`: the last synchronised position of the log. `segmentBytes`: the size of its files. */
  async take(flushed: bigint, segmentBytes: number, random: RandomNumbers): Promise<LostWrites> {
    const walBytes = await this.#zeroLog(flushed, segmentBytes);
    let [changedSectors, lostSectors] = [0, 0];
    for (const file of await filesOf(this.copy)) {
      const counts = await this.#mixSectors(relative(this.copy, file), random);
      changedSectors += counts.changed;
      lostSectors += counts.lost;
    }
    await rm(this.copy, { recursive: true });
    return { walBytes, changedSectors, lostSectors };
  }

  async #zeroLog(flushed: bigint, segmentBytes: number): Promise<number> {
    const folder = join(this.dataFolder, 'pg_wal');
    const segment = Number(flushed / BigInt(segmentBytes));
    const keep = Number(flushed % BigInt(segmentBytes));
    const segments = (await readdir(folder)).filter((name) => /^[0-9A-F]{24}$/.test(name));
    let lost = 0;
    for (const name of segments) {
      const number =
        Number.parseInt(name.slice(8, 16), 16) * (2 ** 32 / segmentBytes) + Number.parseInt(name.slice(16), 16);
      if (number < segment) continue;
      const from = number === segment ? keep : 0;
      const file = await open(join(folder, name), 'r+');
      const rest = Buffer.alloc(segmentBytes - from);
      await file.read(rest, 0, rest.length, from);
      if (number === segment) lost = rest.findLastIndex((byte) => byte !== 0) + 1;
      await file.write(Buffer.alloc(rest.length), 0, rest.length, from);
      await file.close();
    }
    return lost;
  }

  async #mixSectors(name: string, random: RandomNumbers): Promise<{ changed: number; lost: number }> {
    const counts = { changed: 0, lost: 0 };
    const path = join(this.dataFolder, name);
    // Files that were deleted since the copy stay deleted.
    if (SYNCED.test(name.slice(name.lastIndexOf('/') + 1)) || !(await stat(path).catch(() => undefined))) return counts;
    const [before, now] = [await readFile(join(this.copy, name)), await readFile(path)];
    for (let at = 0; at < now.length; at += SECTOR_BYTES) {
      const old = Buffer.alloc(Math.min(SECTOR_BYTES, now.length - at));
      // Sectors after the end of the copied file revert to zeros.
      if (at < before.length) before.copy(old, 0, at);
      if (old.equals(now.subarray(at, at + old.length))) continue;
      counts.changed++;
      if (!random.chance(0.5)) continue;
      old.copy(now, at);
      counts.lost++;
    }
    if (counts.lost > 0) {
      const file = await open(path, 'r+');
      await file.write(now, 0, now.length, 0);
      await file.close();
    }
    return counts;
  }
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
