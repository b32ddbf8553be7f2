// npm run bench:agents -- --interns 50
// Measures the memory of idle agents of the process runtime, and the time and CPU time that an agent adds to a turn,
// with a model that responds immediately. Measures the build in dist.
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { SecretValue } from '../src/kernel/secret-value.js';
import type { Runtime, RuntimePlace } from '../src/runtimes/runtime.driver.js';
import { LIMITS } from '../test/support/interns/agent-stage.js';
import { openScriptedModel } from '../test/support/vendors/scripted-model.js';
import { temporaryFolder } from '../test/support/temporary-folder.js';
import { aBoot, aPlace } from '../test/contracts/runtime-driver.contract.js';
import { cpuOf, proportionalMemoryOf } from './processes.js';
import { readOptions } from './read-options.js';

const options = readOptions('Measures idle agents and their turns.', {
  interns: { default: '50', what: 'number of interns' },
  turns: { default: '10', what: 'turns of each intern' },
});
const BUILT = new URL('../dist/runtimes/drivers/process-runtime.driver.js', import.meta.url).href;
const { ProcessRuntimeDriver } = (await import(
  BUILT
)) as typeof import('../src/runtimes/drivers/process-runtime.driver.js');

const temporary = await temporaryFolder();
const folder = temporary.path;
const model = await openScriptedModel(1, join(folder, 'model.sock'));
const dataDir = join(folder, 'data');
const driver = new ProcessRuntimeDriver(dataDir);
const egress = { token: new SecretValue('pass'), port: model.port, socketFolder: folder, authorities: '' };
const places: RuntimePlace[] = [];
const runtimes: Runtime[] = [];
for (let no = 1; no <= Number(options.interns); no++) {
  const place = { ...aPlace(), no };
  places.push(place);
  await driver.prepare(place);
  runtimes.push(await driver.start({ ...aBoot(place, 1, 3_600_000), egress }));
}

const pids = places.map(({ internId }) => {
  const record = readFileSync(join(dataDir, 'interns', internId, 'runtime.json'), 'utf8');
  return (JSON.parse(record) as { pid: number }).pid;
});
const sumOf = (measure: (pid: number) => number): number => pids.map(measure).reduce((sum, each) => sum + each, 0);

/** The proportional set size of an agent, on average. */
function memoryMb(): string {
  return (sumOf(proportionalMemoryOf) / pids.length).toFixed(1);
}

async function turnMs(runtime: Runtime, turnId: string): Promise<number> {
  const start = performance.now();
  const request = { sessionId: 's', text: 'Hello', limits: LIMITS, allowedHosts: [] };
  const turn = runtime.startTurn({ ...request, turnId, approvalMode: 'self-drive' });
  for await (const event of turn.events)
    if (event.type === 'failed') throw new Error(`a turn failed: ${event.reason} ${event.message}`);
  return performance.now() - start;
}

async function turnsOf(some: readonly Runtime[], turns: number): Promise<string> {
  const times = await Promise.all(
    some.map(async (runtime) => {
      const own: number[] = [];
      for (let turn = 0; turn < turns; turn++) own.push(await turnMs(runtime, `${performance.now()}`));
      return own;
    }),
  );
  const sorted = times.flat().sort((a, b) => a - b);
  const at = (share: number): string => sorted[Math.floor(sorted.length * share)]!.toFixed(0);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

const turns = Number(options.turns);
console.log(`load of ${availableParallelism()} cores: ${loadavg()[0]!.toFixed(1)}`);
console.log(`an agent before its first turn: ${memoryMb()} MB`);
console.log(`first turns of ${runtimes.length} concurrent agents: ${await turnsOf(runtimes, 1)}`);
console.log(`turns of one agent alone: ${await turnsOf(runtimes.slice(0, 1), 2 * turns)}`);
const before = { agents: sumOf(cpuOf) / 1_000, own: process.cpuUsage() };
console.log(`turns of ${runtimes.length} concurrent agents: ${await turnsOf(runtimes, turns)}`);
const { user, system } = process.cpuUsage(before.own);
const perTurn = (ms: number): string => `${(ms / turns / runtimes.length).toFixed(1)} ms`;
const ofAgents = perTurn(sumOf(cpuOf) / 1_000 - before.agents);
console.log(
  `CPU time of one of these turns: agent ${ofAgents}, supervisor and model ${perTurn((user + system) / 1_000)}`,
);
console.log(`an agent after its turns: ${memoryMb()} MB`);
await Promise.all(runtimes.map((runtime) => runtime.stop()));
await model.close();
await temporary.remove();
