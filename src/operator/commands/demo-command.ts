import { NestFactory } from '@nestjs/core';
import type { Command } from 'commander';
import { commandLogger } from '../../http/log/service-log.js';
import { DemoClock } from '../demo/demo-clock.js';
import { fillDemo } from '../demo/fill-demo.js';
import { OperatorModule } from '../operator.module.js';
import type { OpenDatabase } from '../operator-session.js';
import { log, print, Usd } from '../output.js';
import { countOption } from './option-values.js';

interface DemoOptions {
  readonly calls: string;
  readonly keys: string;
  readonly people: string;
  readonly seed: string;
  readonly json?: boolean;
}

const MAX_CALLS = 1_000_000;
const MAX_KEYS = 10_000;
const MAX_PEOPLE = 10_000;
const MAX_SEED = 1_000_000;
/** Progress is logged in steps of this percentage of the calls. */
const STEP_PERCENT = 10;

export function demoCommand(program: Command, openDatabase: OpenDatabase): void {
  program
    .command('demo')
    .description(
      'fill a database without calls with a month of invented calls, and with people, workspaces, keys, ' +
        'budgets, end users and credits.\nStop the service first, unless it has a DATABASE_URL. A database ' +
        'with calls is refused.',
    )
    .option('--calls <n>', 'how many calls', '20000')
    .option('--keys <n>', 'minimum number of keys', '1')
    .option('--people <n>', 'minimum number of people', '1')
    .option('--seed <n>', 'the seed of the random numbers; another seed gives other calls', '1')
    .action((options: DemoOptions) => {
      const calls = countOption(options.calls, '--calls', MAX_CALLS);
      const keys = countOption(options.keys, '--keys', MAX_KEYS);
      const people = countOption(options.people, '--people', MAX_PEOPLE);
      const seed = countOption(options.seed, '--seed', MAX_SEED);
      return openDatabase('alone', async ({ config, urls }) => {
        const startedAt = performance.now();
        const until = new Date(Math.floor(Date.now() / 1_000) * 1_000);
        const clock = new DemoClock(until);
        // Credit leases work only at the current time, but the demo calls are spread over a month.
        const ofDemo = config.with({ CREDIT_LEASES: 'off' });
        const rooms = await NestFactory.createApplicationContext(OperatorModule.register(ofDemo, urls, clock), {
          logger: commandLogger(),
          abortOnError: false,
        });
        try {
          const result = await fillDemo(rooms, clock, { calls, keys, people, seed, until, progress: progressLog() });
          const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
          const { accountId: account, calls: written, spent, from } = result;
          print([{ account, calls: written, spent_usd: new Usd(spent), from, until, seconds }], options.json);
        } finally {
          await rooms.close();
        }
      });
    });
}

function progressLog(): (done: number, total: number) => void {
  let reported = 0;
  return (done, total) => {
    const percent = Math.floor((100 * done) / total / STEP_PERCENT) * STEP_PERCENT;
    if (percent > reported) log(`${percent} % of ${total} calls`);
    reported = percent;
  };
}
