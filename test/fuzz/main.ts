import { startOwnPostgres } from '../support/database/own-postgres.js';
import { readOptions } from '../../bench/read-options.js';
import { openFuzzStage } from './fuzz-stage.js';
import { runFuzz, type FuzzResult } from './run-fuzz.js';
import { inMib, MIN_SAMPLES, type MemorySample } from './memory-watch.js';

const options = readOptions(
  'Starts a service and sends it requests that are generated from the OpenAPI document. Exits with 1 on findings.',
  {
    requests: { default: '20000', what: 'number of requests' },
    seed: { default: '1', what: 'seed of the random numbers; the same seed gives the same requests' },
  },
);

/** A whole number from the command line. */
function whole(name: keyof typeof options, least: number): number {
  const value = Number(options[name]);
  if (Number.isSafeInteger(value) && value >= least) return value;
  console.error(`--${name} must be a whole number of at least ${least}.`);
  return process.exit(1);
}

const requests = whole('requests', 1);
const seed = whole('seed', 0);
const print = (text: string): void => console.log(text);

// Ctrl-C ends the run early and prints its summary.
const early = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => early.abort());

const postgres = await startOwnPostgres();
try {
  const stage = await openFuzzStage(postgres.url);
  try {
    const result = await runFuzz(stage, { requests, seed, print, signal: early.signal });
    summarise(result);
    process.exitCode = result.findings.length > 0 ? 1 : 0;
  } finally {
    await stage.close();
  }
} finally {
  await postgres.stop();
}

function summarise({
  requests: sent,
  seconds,
  findings,
  statuses,
  succeeded,
  stalls,
  memory,
  books,
}: FuzzResult): void {
  const { second, last } = memory.quarters();
  const isSampled = memory.samples.length >= MIN_SAMPLES;
  print('');
  print(`seed ${seed}: ${sent} requests in ${Math.round(seconds)} s (${Math.round(sent / seconds)}/s)`);
  print(
    `statuses: ${[...statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${status === 0 ? 'none' : status} × ${count}`)
      .join(', ')}`,
  );
  const never = [...succeeded].filter(([, count]) => count === 0).map(([route]) => route);
  const reached = succeeded.size - never.length;
  print(`routes that succeeded: ${reached} of ${succeeded.size}; never: ${never.join(', ') || 'none'}`);
  print(
    [
      `longest stall: ${Math.round(stalls.longestMs)} ms among eight callers`,
      `${stalls.windows} windows over the limit`,
      `${Math.round(stalls.longestAloneMs)} ms for one of their requests alone`,
    ].join('; '),
  );
  print(
    isSampled
      ? `memory, second to last quarter: ${memoryLine(second)} to ${memoryLine(last)}`
      : 'memory: the run is too short to judge it',
  );
  print(
    [
      `money in nano-dollars: generations ${books.generations}`,
      `ledger ${books.entries}`,
      `accounts ${books.accountSpent}`,
      `keys ${books.keysUsage}`,
      `reservations open ${books.openReservations}`,
    ].join(', '),
  );
  print(findings.length === 0 ? 'no findings' : `findings:\n${findings.map((line) => `  ${line}`).join('\n')}`);
}

function memoryLine({ used, rss }: MemorySample): string {
  return `${inMib(used)} MiB in use and ${inMib(rss)} resident`;
}
