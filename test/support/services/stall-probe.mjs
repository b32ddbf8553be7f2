// Preloaded into a service process by a test (`--import`): measures how long its event loop was blocked, and its
// memory. The machine may run other processes; the processor time of the main thread shows how much of a turn was the
// service's own work.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const TICK_MS = 2;
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
let last = performance.now();
let lastCpu = cpuMs();
let longest = 0;
let longestCpu = 0;

/** Measures the elapsed time and the processor time of the same turns of the event loop. */
function measure() {
  const now = performance.now();
  const cpu = cpuMs();
  longest = Math.max(longest, now - last - TICK_MS);
  longestCpu = Math.max(longestCpu, cpu - lastCpu);
  last = now;
  lastCpu = cpu;
}
setInterval(measure, TICK_MS).unref();

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

/** Parsing and printing 2.5 MB, which is the main work in the service's long turns. */
const sample = () =>
  JSON.stringify({
    text: 'x"\\\n'.repeat(262_144),
    list: Array.from({ length: 20_000 }, (_, n) => ({ n, text: `item ${n}` })),
  });
const SAMPLE_ROUNDS = 7;

const ANSWERS = {
  reset: () => {
    last = performance.now();
    lastCpu = cpuMs();
    longest = 0;
    longestCpu = 0;
    return {};
  },
  stall: () => {
    measure();
    return { wall: longest, cpu: longestCpu };
  },
  // The median, because the processor time of single rounds varies with other load.
  sample: () => {
    const json = sample();
    const rounds = Array.from({ length: SAMPLE_ROUNDS }, () => {
      const from = cpuMs();
      Buffer.from(JSON.stringify(JSON.parse(json)));
      return cpuMs() - from;
    });
    return { ms: rounds.toSorted((a, b) => a - b)[(SAMPLE_ROUNDS - 1) / 2] };
  },
  memory: async () => {
    // Buffers are freed some turns after their objects.
    for (let round = 0; round < 3; round++) {
      gc();
      await new Promise((next) => setTimeout(next, 20));
    }
    const { heapUsed, external, rss } = process.memoryUsage();
    return { used: heapUsed + external, rss };
  },
};

const answer = async ({ id, ask }) => process.send({ id, ...(await ANSWERS[ask]()) });
process.on('message', (question) => void answer(question));
// The channel must not keep the process alive.
process.channel?.unref();
