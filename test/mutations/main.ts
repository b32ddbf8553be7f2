import { readOptions } from '../../bench/read-options.js';
import type { Mutation } from './mutation.js';
import { MUTATIONS } from './mutations.js';
import { runTests } from './run-tests.js';
import { SourceCopy } from './source-copy.js';

const options = readOptions(
  'Inserts faults into a copy of the source, one at a time, and runs the tests that must find each fault. Exits with ' +
    '1 if a fault is missed.',
  {
    only: { default: '', what: 'names or areas of faults, separated by commas; empty = all' },
    baseline: { default: 'yes', what: 'first run the tests without a fault: yes or no' },
  },
);
const print = (text: string): void => console.log(text);

const wanted = options.only.split(',').filter((name) => name !== '');
const all = Object.entries(MUTATIONS).flatMap(([area, mutations]) => mutations.map((mutation) => ({ area, mutation })));
const chosen = all.filter(
  ({ area, mutation }) => wanted.length === 0 || wanted.includes(area) || wanted.includes(mutation.name),
);
const known = new Set(all.flatMap(({ area, mutation }) => [area, mutation.name]));
const unknown = wanted.filter((name) => !known.has(name));
if (unknown.length > 0) {
  console.error(`No mutation and no area has the name ${unknown.join(', ')}`);
  process.exit(1);
}

const early = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => early.abort());

const copy = await SourceCopy.of(process.cwd());
try {
  process.exitCode = (await isBaselineGood()) && (await areFound()) ? 0 : 1;
} finally {
  await copy.remove();
}

/** A test that also fails without a fault would seem to detect every fault. */
async function isBaselineGood(): Promise<boolean> {
  if (options.baseline === 'no') return true;
  const paths = [...new Set(chosen.flatMap(({ mutation }) => mutation.tests))];
  const { failed, seconds } = await runTests(copy.root, paths, early.signal);
  print(failed === undefined ? `without a fault all pass (${seconds} s)` : `without a fault this fails: ${failed}`);
  return failed === undefined;
}

async function areFound(): Promise<boolean> {
  let missed = 0;
  let found = 0;
  for (const { area, mutation } of chosen) {
    const run = await copy.withFault(mutation, () => runTests(copy.root, mutation.tests, early.signal));
    if (run.failed === undefined && mutation.missed === undefined) missed++;
    if (run.failed !== undefined) found++;
    print(`| ${area} | ${mutation.name} | ${outcomeOf(mutation, run.failed)} | ${run.seconds} s |`);
  }
  print(`${found} of ${chosen.length} found, ${missed} missed that a test must find`);
  return missed === 0;
}

function outcomeOf({ missed }: Mutation, failed: string | undefined): string {
  if (failed === undefined) return missed === undefined ? 'MISSED' : `missed, as known: ${missed}`;
  return missed === undefined ? failed : `${failed} (listed as missed: it is found now)`;
}
