// `TEST_TIMES_FILE=times.jsonl npm test`: writes a line for each test file with its duration in seconds, and the
// seconds of CPU of its worker and of the worker's ended children. Jest's `--json` has only the duration.
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const FILE = process.env.TEST_TIMES_FILE;
/** The clock ticks per second in /proc/self/stat (proc(5)). */
const TICKS_PER_S = 100;

function cpuSeconds() {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1].split(' ').slice(11, 15).map(Number);
  return { own: (fields[0] + fields[1]) / TICKS_PER_S, children: (fields[2] + fields[3]) / TICKS_PER_S };
}

const rounded = (seconds) => Math.round(seconds * 100) / 100;

/** Starts to measure a test file. Returns a function that ends the measurement. */
export function measureFile(path) {
  if (!FILE) return () => undefined;
  const from = { at: performance.now(), ...cpuSeconds() };
  return () => {
    const { own, children } = cpuSeconds();
    const line = {
      file: relative(process.cwd(), path),
      wall: rounded((performance.now() - from.at) / 1_000),
      own: rounded(own - from.own),
      children: rounded(children - from.children),
    };
    appendFileSync(FILE, `${JSON.stringify(line)}\n`);
  };
}
