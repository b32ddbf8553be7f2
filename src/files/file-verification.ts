import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { StoredFile } from '../database/entities/stored-file.entity.js';
import { Clock } from '../kernel/clock.js';
import { ObjectStore } from '../storage/object-store.port.js';
import { objectKeyOf } from './file-bytes.js';
import { FileSweeper } from './file-sweeper.js';

/** A file that differs from its upload. */
interface FileFault {
  readonly file: StoredFile;
  /** `missing`: not in the store; `damaged`: another size or hash. */
  readonly fault: 'missing' | 'damaged';
}

interface VerificationReport {
  readonly files: number;
  readonly bytes: number;
  readonly faults: readonly FileFault[];
  /** The number of objects without a row. The sweeper deletes them after FILE_SWEEP_AFTER_MS. */
  readonly orphans: number;
}

const PAGE = 200;

/** Reads every file and compares it with the size and hash recorded at its upload. */
@Injectable()
export class FileVerification {
  constructor(
    private readonly em: EntityManager,
    private readonly store: ObjectStore,
    private readonly sweeper: FileSweeper,
    private readonly clock: Clock,
  ) {}

  async verify(): Promise<VerificationReport> {
    const report = { files: 0, bytes: 0, faults: [] as FileFault[], orphans: 0 };
    for await (const file of this.#all()) {
      report.files++;
      report.bytes += file.sizeBytes;
      const fault = await this.#faultOf(file);
      if (fault) report.faults.push({ file, fault });
    }
    for await (const key of this.sweeper.orphans(this.clock.now())) if (key) report.orphans++;
    return report;
  }

  async *#all(): AsyncGenerator<StoredFile> {
    let after: string | undefined;
    for (;;) {
      const page: StoredFile[] = await this.em
        .fork()
        .find(StoredFile, after === undefined ? {} : { id: { $gt: after } }, { orderBy: { id: 'asc' }, limit: PAGE });
      yield* page;
      if (page.length < PAGE) return;
      after = page.at(-1)!.id;
    }
  }

  async #faultOf(file: StoredFile): Promise<FileFault['fault'] | undefined> {
    const bytes = await this.store.get(objectKeyOf(file));
    if (!bytes) return 'missing';
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of bytes) {
      hash.update(chunk);
      size += chunk.length;
    }
    return size === file.sizeBytes && hash.digest('hex') === file.sha256 ? undefined : 'damaged';
  }
}
