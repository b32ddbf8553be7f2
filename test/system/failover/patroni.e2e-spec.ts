import { setTimeout as sleep } from 'node:timers/promises';
import { Sql } from '../../../src/database/sql.js';
import { patroniIsInstalled, PatroniStage } from '../../support/database/patroni.js';
import { pgbouncerIsInstalled, startPgbouncer, type TestPooler } from '../../support/database/pgbouncer.js';
import { eventually } from '../../support/eventually.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { expectSettled } from '../../support/money/count-the-money.js';
import { expectStreamsBilledOnce } from '../../support/money/count-the-streams.js';
import { RatedLoad } from '../../support/money/rated-load.js';
import { startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';
import {
  startScriptedChatVendor,
  streamEvents,
  type ScriptedChatVendor,
} from '../../support/vendors/scripted-chat-vendor.js';

/** Failovers with DURABILITY=replica and without PgBouncer. All CASES together have about fifty failovers. */
const FAILOVERS = Number(process.env['FAILOVERS'] ?? 40);
const CALLS_PER_SECOND = 300;
const LEASE_MS = 30_000;
const SERVES_WITHIN_MS = 60_000;
const KINDS = { replica: ['kill', 'freeze', 'switchover'], local: ['kill', 'freeze'] } as const;
/** For `DURABILITY=local`: the time before a failover during which the standbys receive nothing. */
const HELD_MS = 300;

interface Case {
  readonly durability: 'replica' | 'local';
  readonly pooler: boolean;
  readonly failovers: number;
}

const CASES: readonly Case[] = [
  { durability: 'replica', pooler: false, failovers: FAILOVERS },
  { durability: 'replica', pooler: true, failovers: Math.ceil(FAILOVERS / 4) },
  { durability: 'local', pooler: false, failovers: 3 },
];

/** Runs in `npm run test:long` only, because each failover waits until a lock in etcd expires. */
const describeLong = LONG_TESTS && patroniIsInstalled() && pgbouncerIsInstalled() ? describe : describe.skip;

describeLong.each(CASES)(
  'Patroni under load, DURABILITY=$durability, PgBouncer $pooler',
  ({ durability, pooler: isPooled, failovers }) => {
    let stage: PatroniStage;
    let pooler: TestPooler | undefined;
    let vendor: ScriptedChatVendor;
    let service: ServiceProcess;

    beforeAll(async () => {
      stage = await PatroniStage.start({ isSynchronous: durability === 'replica' });
      pooler = isPooled ? await startPgbouncer(stage.proxyUrl, 'transaction') : undefined;
      vendor = await startScriptedChatVendor(() => ({
        events: streamEvents(2, { prompt_tokens: 12, completion_tokens: 2 }),
        pauseMs: 0,
      }));
      service = await startServiceProcess({
        DATABASE_URL: pooler?.url ?? stage.url,
        ...(pooler && { DATABASE_DIRECT_URL: stage.url }),
        DURABILITY: durability,
        MASTER_KEY: 'a1'.repeat(32),
        RESERVATION_LEASE_MS: String(LEASE_MS),
        RATE_LIMIT_INFERENCE: '1000000/60',
        BOOTSTRAP_CREDITS_USD: '10000',
        INTERN_RUNTIME: 'none',
        BREAKER_FAILURES: '1000',
        OPENAI_API_KEY: 'sk-vendor',
        OPENAI_BASE_URL: vendor.baseUrl,
      });
    }, 240_000);
    afterAll(async () => {
      service?.kill('SIGTERM');
      await service?.exited;
      await vendor?.close();
      await pooler?.stop();
      await stage?.stop();
    }, 120_000);

    it(
      `bills every complete call, or reports its loss, in ${failovers} failovers at ${CALLS_PER_SECOND} calls a second`,
      async () => {
        const load = new RatedLoad(service.origin, TEST_API_KEY, CALLS_PER_SECOND);
        const serves = async (): Promise<void> => {
          const from = load.seen.length;
          await eventually(
            () =>
              Promise.resolve(
                expect(load.seen.slice(from).filter(({ usage }) => usage).length).toBeGreaterThan(CALLS_PER_SECOND),
              ),
            SERVES_WITHIN_MS,
          );
        };
        const gaps: number[] = [];
        try {
          await serves();
          for (let round = 0; round < failovers; round++) {
            const kinds = KINDS[durability];
            const kind = kinds[round % kinds.length]!;
            const primary = await stage.untilHealthy();
            if (durability === 'local') {
              await stage.holdReplication(primary);
              await sleep(HELD_MS);
            }
            const since = performance.now();
            const mend = await stage[kind](primary);
            await eventually(async () => {
              const leader = await stage.leader();
              expect(leader).toBeDefined();
              expect(leader!.name).not.toBe(primary.name);
            }, SERVES_WITHIN_MS);
            await serves();
            gaps.push(load.longestGapMs(since));
            process.stdout.write(`${kind}: ${Math.round(gaps.at(-1)!)} ms without a billed call\n`);
            await mend();
          }
          await stage.untilHealthy();
        } finally {
          await load.stop();
        }
        const { seen } = load;
        const refused = seen.filter(({ status }) => status !== 200);
        const billed = seen.filter(({ usage }) => usage);
        process.stdout.write(
          `${failovers} failovers: ${seen.length} calls, ${billed.length} answered, ${refused.length} refused, ` +
            `${seen.length - billed.length - refused.length} cut; longest time without a billed call ` +
            `${Math.round(Math.max(...gaps))} ms\n`,
        );
        expect(refused.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([]);
        const sql = new Sql(await stage.leaderUrl(), 2);
        try {
          await expectSettled(sql, 2 * LEASE_MS);
          const lines = service.output().match(/PostgreSQL failed over to another server; .*/g) ?? [];
          process.stdout.write(`${[...new Set(lines.map((line) => line.replaceAll(/\d+/g, 'N')))].join('\n')}\n`);
          if (durability === 'replica') {
            await expectStreamsBilledOnce(sql, seen);
            expect(lines.filter((line) => !line.includes('; all of the last'))).toEqual([]);
          } else {
            const [row] = await sql.query<{ calls: number }>(
              'select count(*)::int as calls from generation where cost > 0',
            );
            const reported = lines.reduce((sum, line) => sum + Number(/; (\d+) of/.exec(line)?.[1] ?? 0), 0);
            process.stdout.write(`lost ${billed.length - row!.calls}, reported ${reported}\n`);
            expect(reported).toBeGreaterThanOrEqual(billed.length - row!.calls);
          }
        } finally {
          await sql.close();
        }
      },
      failovers * 120_000 + 240_000,
    );
  },
);
