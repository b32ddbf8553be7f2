import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LeaseStage, PLENTY } from '../../../../test/support/money/lease-stage.js';
import { RandomNumbers } from '../../../../test/support/random-numbers.js';
import { temporaryFolder, type TemporaryFolder } from '../../../../test/support/temporary-folder.js';
import { Sql } from '../../../database/sql.js';
import { isDatabaseUnavailable } from '../../../database/database-faults.js';
import { LocalServer } from '../../../kernel/processes/local-server.js';
import type { CommitRequest } from './commit-messages.js';
import { CommitServer } from './commit-server.js';
import { LedgerCommits, type FinishItem, type FinishOutcome } from './ledger-commits.port.js';
import { LocalCommits } from './local-commits.driver.js';
import { RemoteCommits } from './remote-commits.driver.js';

const TIMEOUT_MS = 4_000;
const ITEM: FinishItem = { id: 'a', finish: '"(a)"', usage: 'NULL', detail: 'NULL' };

describe('a committer', () => {
  let folder: TemporaryFolder;
  let server: LocalServer | undefined;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(async () => {
    server?.close();
    await folder.remove();
  });

  const path = (): string => join(folder.path, 'c.sock');
  const serve = async (commits: LedgerCommits): Promise<void> => {
    const committing = new CommitServer(commits);
    server = new LocalServer((request) => committing.respond(request as CommitRequest));
    await server.listen(path());
  };

  describe('of several services', () => {
    let stage: LeaseStage;
    let sql: Sql;
    const statements: string[] = [];
    beforeAll(async () => {
      stage = await LeaseStage.open();
      sql = new Sql(stage.database.url, 4);
    });
    beforeEach(() => serve(new LocalCommits(sql)));
    afterEach(() => stage.settle());
    afterAll(async () => {
      await sql.close();
      await stage.close();
    });

    it('bills the calls of one key in batches that the services share', async () => {
      const watched = {
        timeoutMs: 0,
        query: (text: string, params: unknown[]) => (
          statements.push(/ledger_\w+/.exec(text)![0]),
          sql.query(text, params)
        ),
      } as unknown as Sql;
      server!.close();
      await serve(new LocalCommits(watched));
      const services = [
        await stage.start({ commits: new RemoteCommits(path(), TIMEOUT_MS) }),
        await stage.start({ commits: new RemoteCommits(path(), TIMEOUT_MS) }),
      ];
      const of = await stage.payer(PLENTY, { limit_nano: PLENTY });
      for (const service of services) await stage.warmUp(service, of);
      const before = await stage.spent(of[0]);
      const random = new RandomNumbers(11);
      let cost = 0n;
      statements.length = 0;
      await Promise.all(
        Array.from({ length: 400 }, async (_, at) => {
          const price = BigInt(random.int(0, 10));
          await sleep(random.int(0, 200));
          const outcome = await services[at % 2]!.call(...of, { worstCase: 10n, price });
          expect(outcome).toBe('done');
          cost += price;
        }),
      );

      expect(await stage.spent(of[0])).toBe(before + cost);
      expect(statements).toContain('ledger_write_journal');
      expect(statements).not.toContain('ledger_finish_leased');
    });

    it('accepts 137 of 1,000 concurrent calls if the credits cover 137', async () => {
      const services = [
        await stage.start({ commits: new RemoteCommits(path(), TIMEOUT_MS) }),
        await stage.start({ commits: new RemoteCommits(path(), TIMEOUT_MS) }),
      ];
      const of = await stage.payer(1_370);
      const outcomes = await Promise.all(
        Array.from({ length: 1_000 }, (_, at) => services[at % 2]!.call(...of, { worstCase: 10n, price: 10n })),
      );

      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(137);
      expect(await stage.spent(of[0])).toBe(1_370n);
    });
  });

  /** Commits when the test resolves the promise. */
  class SlowCommits extends LedgerCommits {
    readonly commits: PromiseWithResolvers<FinishOutcome>[] = [];

    reserve(): Promise<string> {
      return Promise.reject(new Error('a fault of the statement'));
    }

    finish(): Promise<FinishOutcome> {
      const commit = Promise.withResolvers<FinishOutcome>();
      this.commits.push(commit);
      return commit.promise;
    }

    finishLeased(): Promise<FinishOutcome> {
      return this.finish();
    }

    idle(): Promise<void> {
      return Promise.resolve();
    }
  }

  it('does not commit an item twice if the item is sent again before its commit ends', async () => {
    const slow = new SlowCommits();
    await serve(slow);
    const remote = new RemoteCommits(path(), TIMEOUT_MS);
    const outcomes = [remote.finish(ITEM), remote.finish(ITEM)];
    while (slow.commits.length === 0) await sleep(5);
    slow.commits[0]!.resolve('done');

    expect([await Promise.all(outcomes), slow.commits.length]).toEqual([['done', 'done'], 1]);
  });

  it('that does not respond in time is reported as an unavailable database', async () => {
    await serve(new SlowCommits());
    const remote = new RemoteCommits(path(), 200);

    expect(isDatabaseUnavailable(await remote.finish(ITEM).catch((error: unknown) => error))).toBe(true);
  });

  it('that was unavailable is used as soon as it is available', async () => {
    const remote = new RemoteCommits(path(), TIMEOUT_MS);
    expect(isDatabaseUnavailable(await remote.finish(ITEM).catch((error: unknown) => error))).toBe(true);
    const slow = new SlowCommits();
    await serve(slow);
    const outcome = remote.finish(ITEM);
    while (slow.commits.length === 0) await sleep(5);
    slow.commits[0]!.resolve('lost');

    expect(await outcome).toBe('lost');
  });

  it('returns the error of a statement as it is, not as an unavailable database', async () => {
    await serve(new SlowCommits());
    const remote = new RemoteCommits(path(), TIMEOUT_MS);
    const fault = await remote.reserve({ id: 'a', columns: [], isPlain: true }).catch((error: unknown) => error);

    expect([(fault as Error).message, isDatabaseUnavailable(fault)]).toEqual(['a fault of the statement', false]);
  });
});
