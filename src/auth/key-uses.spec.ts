import { Logger } from '@nestjs/common';
import type { Sql } from '../database/sql.js';
import { KeyUses } from './key-uses.js';

const AT = (second: number): Date => new Date(Date.UTC(2026, 10, 20, 12, 0, second));

/** Records the parameters of each write. Writes fail if `failing` is true. */
class WrittenUses {
  readonly writes: unknown[][] = [];
  rows: { key_no: number; used_at: Date }[] = [];
  failing = false;

  async query(text: string, params: unknown[]): Promise<unknown[]> {
    if (text.startsWith('select')) return this.rows;
    if (this.failing) throw new Error('the database is away');
    this.writes.push(params);
    return [];
  }
}

describe('the last uses of keys', () => {
  let written: WrittenUses;
  let uses: KeyUses;
  beforeEach(() => {
    Logger.overrideLogger(false);
    written = new WrittenUses();
    uses = new KeyUses(written as unknown as Sql);
  });

  it('are written in one statement for all keys: the newest use of each key, in the order of the ids', async () => {
    for (let use = 0; use < 1_000; use++) uses.note(7 - (use % 3), AT(use % 60));
    uses.note(6, AT(59));
    await uses.flush();

    expect(written.writes).toHaveLength(1);
    expect(written.writes[0]![0]).toEqual([5, 6, 7]);
    expect(written.writes[0]![1]).toContainEqual(AT(59));
  });

  it('are not written again if no key was used since the last write', async () => {
    uses.note(1, AT(1));
    await uses.flush();
    await uses.flush();
    expect(written.writes).toHaveLength(1);
  });

  it('are read from memory and from the database, and the newer time is returned', async () => {
    uses.note(1, AT(5));
    uses.note(2, AT(5));
    written.rows = [
      { key_no: 1, used_at: AT(9) },
      { key_no: 2, used_at: AT(1) },
    ];
    expect(await uses.ofKeys([1, 2, 3])).toEqual(
      new Map([
        [1, AT(9)],
        [2, AT(5)],
      ]),
    );
  });

  it('are kept while the database is unavailable, and newer uses replace them', async () => {
    written.failing = true;
    uses.note(1, AT(1));
    uses.note(2, AT(2));
    await uses.flush();
    uses.note(1, AT(3));
    written.failing = false;
    await uses.beforeApplicationShutdown();
    expect(written.writes).toEqual([
      [
        [1, 2],
        [AT(3), AT(2)],
      ],
    ]);
  });
});
