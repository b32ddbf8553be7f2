import { setTimeout as sleep } from 'node:timers/promises';
import { ChaosStage, type ChaosOptions, type Fault } from '../../support/money/chaos-stage.js';
import { FullDisk } from '../../support/database/full-disk.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { canMount } from '../../support/database/mounts.js';
import { redisIsInstalled } from '../../support/engines/redis-server.js';

/** The number of rounds of each fault. */
const ROUNDS = LONG_TESTS ? Number(process.env['CHAOS_ROUNDS'] ?? 30) : 1;
/** The end of the suite's name, and the WORKERS of each service. */
const SERVICES: [string, number][] = LONG_TESTS
  ? [
      ['', 1],
      [', with WORKERS=3', 3],
    ]
  : [['', 1]];
const FROZEN_MS = LONG_TESTS ? 20_000 : 3_000;
/** Longer than several leases and windows. */
const SKEWED_MS = LONG_TESTS ? 15_000 : 6_000;
const ROUND_MS = 180_000 + FROZEN_MS;

/** The parts that most faults need, so that their tests share the services. */
const STAGE: ChaosOptions = canMount() ? { disk: '600m' } : {};

const whenRedis = redisIsInstalled() ? it : it.skip;
const whenMounting = STAGE.disk ? it : it.skip;

describe.each(SERVICES)('under load, with slow readers and writers%s', (_, workers) => {
  /** The stage of the previous test. The next test reuses it if it needs the same parts. */
  let stage: ChaosStage | undefined;
  let opened: string | undefined;
  afterAll(() => stage?.close(), 60_000);

  async function stageWith(options: ChaosOptions): Promise<ChaosStage> {
    const wanted = JSON.stringify(options);
    if (!stage || opened !== wanted) {
      await stage?.close();
      stage = undefined;
      stage = await ChaosStage.open({ ...options, workers });
      opened = wanted;
    }
    return stage;
  }

  /** Repeats the same fault. */
  async function rounds(options: ChaosOptions, fault: (stage: ChaosStage, round: number) => Fault): Promise<void> {
    const at = await stageWith(options);
    let counted = 0;
    for (let round = 0; round < ROUNDS; round++) counted += await at.round(fault(at, round));
    process.stdout.write(`${counted} complete responses, each billed once, over ${ROUNDS} rounds\n`);
  }
  const chaos = (
    options: ChaosOptions,
    fault: (stage: ChaosStage, round: number) => Fault,
  ): [() => Promise<void>, number] => [() => rounds(options, fault), 120_000 + ROUNDS * ROUND_MS];

  it(
    `no money is lost when the server ends random connections, ${ROUNDS} times`,
    ...chaos(STAGE, (stage) => ({
      begin: async () => {
        for (let time = 0; time < 20; time++) {
          await stage.sql
            .query(
              `select pg_terminate_backend(pid)
               from pg_stat_activity
               where datname = current_database() and pid <> pg_backend_pid() and random() < 0.5`,
            )
            .catch(() => undefined);
          await sleep(Math.random() * 300);
        }
      },
      holdMs: 0,
      ready: 'either',
    })),
  );

  it(
    `no money is lost when PostgreSQL is frozen for ${FROZEN_MS / 1000} s, ${ROUNDS} times`,
    ...chaos(STAGE, ({ postgres }) => ({
      begin: postgres.freeze,
      holdMs: FROZEN_MS,
      end: postgres.thaw,
      ready: 'never',
    })),
  );

  it(
    `no money is lost when PostgreSQL is restarted, ${ROUNDS} times`,
    // Alternates between a fast shutdown and a crash.
    ...chaos(STAGE, ({ postgres }, round) => ({
      begin: async () => void process.kill(await postgres.postmasterPid(), round % 2 === 0 ? 'SIGINT' : 'SIGKILL'),
      holdMs: 2_000,
      ready: 'either',
    })),
  );

  it(
    `no money is lost when the network to PostgreSQL drops packets or refuses connections, ${ROUNDS} times`,
    ...chaos(STAGE, ({ database }, round) => ({
      begin: () => (round % 2 === 0 ? database.blackHole() : database.refuse()),
      holdMs: FROZEN_MS,
      end: () => database.forward(),
      ready: 'never',
    })),
  );

  it(
    `no money is lost when the network silently drops the connections to PostgreSQL, ${ROUNDS} times`,
    ...chaos(STAGE, ({ database }) => ({ begin: () => database.strand(), holdMs: 1_000, ready: 'either' })),
  );

  whenMounting(
    `no money is lost when the disk of PostgreSQL and of the data folders is full, ${ROUNDS} times`,
    ...chaos(STAGE, (stage) => {
      const full = new FullDisk(stage.dataDirs[0]!);
      return { begin: () => full.begin(), holdMs: FROZEN_MS, end: () => full.end(), ready: 'never' };
    }),
  );

  it.each(LONG_TESTS ? [60_000, -60_000] : [60_000])(
    `no money is lost when the clocks of two services are %s ms apart, ${ROUNDS} times`,
    async (skewMs) => {
      await (await stageWith(STAGE)).skew(skewMs);
      try {
        await rounds(STAGE, () => ({ begin: () => undefined, holdMs: SKEWED_MS, ready: 'always', isHarmless: true }));
      } finally {
        await stage!.skew(0);
      }
    },
    120_000 + ROUNDS * ROUND_MS,
  );

  whenRedis(
    `no money is lost when the network to Redis and to the bucket is cut, ${ROUNDS} times, and the services stay ready`,
    ...chaos({ redis: true }, ({ redis, s3 }, round) => ({
      begin: async () => {
        for (const proxy of [redis!, s3]) await (round % 2 === 0 ? proxy.blackHole() : proxy.refuse());
      },
      holdMs: FROZEN_MS,
      end: () => Promise.all([redis!.forward(), s3.forward()]),
      ready: 'always',
      isHarmless: true,
    })),
  );
});
