import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DockerRuntimeDriver } from '../../../src/runtimes/drivers/docker-runtime.driver.js';
import {
  eventsOf,
  openAgentStage,
  toolResults,
  type AgentStage,
  type StageRuntime,
} from '../../support/interns/agent-stage.js';
import {
  BOUND_HOST,
  conversationContract,
  followRules,
  offlineContract,
} from '../../contracts/intern-conversation.contract.js';
import { startConversingInterns, type ConversingInterns } from '../../support/interns/conversing-interns.js';
import { dockerEngineHere, type DockerEngine } from '../../support/engines/docker-engine.js';
import { eventually } from '../../support/eventually.js';
import { run } from '../../support/interns/injection-corpus/injection.js';
import { containersOf } from '../../support/interns/intern-runtimes.js';
import { sdkTalker } from '../../support/interns/intern-talkers.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const IMAGE = 'gatehouse-test-node';

// Evaluated before the tests are declared, because it decides whether they run.
const folder = await temporaryFolder();
const found = await dockerEngineHere(folder.path, IMAGE);
const engine = typeof found === 'string' ? undefined : found;
if (typeof found === 'string') {
  await folder.remove();
  process.stderr.write(`SKIPPED: agents in containers were not tested: ${found}\n`);
}

afterAll(async () => {
  await engine?.stop();
  await folder.remove();
}, 60_000);

(engine ? describe : describe.skip)('an agent in a container', () => {
  const { docker, dataRoot, socketPath } = engine ?? ({} as DockerEngine);
  let stage: AgentStage;
  beforeAll(async () => {
    const runtime: StageRuntime = {
      driver: new DockerRuntimeDriver({ socketPath, image: `${IMAGE}:test`, memoryMb: 256 }),
      homeOf: ({ internId }) => join(dataRoot, 'volumes', `gatehouse-intern-${internId}`, '_data'),
    };
    stage = await openAgentStage(runtime);
    await stage.boot();
  }, 120_000);
  afterAll(async () => {
    await stage.close();
  }, 60_000);

  it('calls its model, uses its tools and runs programs on its own disk', async () => {
    stage.model.script({
      calls: [
        { name: 'write_file', arguments: { path: 'script.txt', content: 'hello' } },
        run('console.log(process.getuid() >= 2000000, require("fs").readFileSync("script.txt", "utf8"))'),
        { name: 'http_request', arguments: { url: 'https://api.example.com/x' } },
      ],
    });
    expect((await stage.turn('Go')).at(-1)!.type).toBe('end');
    const [written, output, page] = toolResults(stage.model.calls.at(-1)!.json);
    expect([written, output]).toEqual(['Done.', '[exit code 0]\ntrue hello\n']);
    expect(page).toMatch(/^HTTP 200/);
  }, 60_000);

  it('continues after a program has written 200,000 single bytes to the output of the agent', async () => {
    const flood = [
      'const fs = require("fs"), output = fs.openSync(`/proc/${process.ppid}/fd/1`, "w");',
      'for (let byte = 0; byte < 200_000; byte++) fs.writeSync(output, "x");',
      'fs.writeSync(output, "\\n"); console.log("written")',
    ];
    stage.model.script({ calls: [run(flood.join(' '))] });
    expect((await stage.turn('Flood')).at(-1)!.type).toBe('end');
    expect(toolResults(stage.model.calls.at(-1)!.json).at(-1)).toBe('[exit code 0]\nwritten\n');
    expect(await stage.runtime().isHealthy()).toBe(true);
  }, 60_000);

  it('ends if a program writes broken messages to the output of the agent, and the service continues', async () => {
    const flood = [
      'const fs = require("fs"), output = fs.openSync(`/proc/${process.ppid}/fd/1`, "w");',
      'for (;;) fs.writeSync(output, `{"\\n`.repeat(1_000));',
    ];
    stage.model.script({ calls: [run(flood.join(' '))] });
    expect((await stage.turn('Flood')).at(-1)).toMatchObject({ type: 'failed', reason: 'runtime_ended' });
    expect(await stage.runtime().ended).toBe('a program wrote to the output of its agent');
    await stage.boot();
    expect((await stage.turn('Go')).at(-1)!.type).toBe('end');
  }, 60_000);

  it('asks before it runs a program in manual mode', async () => {
    stage.model.script({ calls: [run('1')] });
    const asked: unknown[] = [];
    await stage.turn('Go', { approvalMode: 'manual' }, ({ question, questionId }, turn) => {
      asked.push(question);
      turn.answer(questionId, { kind: 'permission', option: 'reject_once' });
    });
    expect(asked).toMatchObject([
      { kind: 'permission', operation: expect.stringMatching(/^run_command: "node" "-e" "1"\n"Always" covers/) },
    ]);
    expect(toolResults(stage.model.calls.at(-1)!.json).at(-1)).toBe('Error: The user does not permit this');
  }, 60_000);

  it('keeps its sessions when its container is killed in a turn', async () => {
    const session = { sessionId: 'killed' };
    await stage.turn('First', session);
    stage.model.script({ stalls: true });
    const before = stage.model.calls.length;
    const turn = stage.runtime().startTurn(stage.request('Second', session));
    await eventually(async () => expect(stage.model.calls.length).toBeGreaterThan(before));
    await docker.getContainer(`gatehouse-intern-${stage.place.internId}`).kill();
    const events = await eventsOf(turn);
    expect(events).toEqual([expect.objectContaining({ type: 'failed', reason: 'runtime_ended' })]);
    await stage.boot();
    await stage.turn('Third', session);
    const { messages } = stage.model.calls.at(-1)!.json;
    const users = messages.filter(({ role }: { role: string }) => role === 'user');
    expect(users.map(({ content }: { content: string }) => content)).toEqual([
      'First',
      'Second',
      expect.stringMatching(/interrupted[^]*Third$/),
    ]);
  }, 60_000);
});

(engine ? describe : describe.skip)('conversations with an intern in a container', () => {
  let interns: ConversingInterns;
  beforeAll(async () => {
    interns = await startConversingInterns([BOUND_HOST], {}, containersOf(engine!, IMAGE));
  }, 120_000);
  beforeEach(() => void (interns.think = followRules));
  afterAll(() => interns?.close(), 60_000);

  describe('@openrouter/sdk', () => conversationContract(() => interns, sdkTalker));

  it('run no program that the user refuses, and one that the user allows', async () => {
    const id = await interns.create('runner');
    const talker = sdkTalker(`${interns.stage.origin}/api/v1`, id);
    for (const [file, option] of [
      ['refused', 'reject_once'],
      ['granted', 'allow_once'],
    ] as const) {
      const asked = await talker.say('s', `Run require("fs").writeFileSync("${file}", "")`, true);
      expect(asked.question).toMatchObject({
        kind: 'permission',
        operation: expect.stringMatching(/^run_command: "node" "-e"/),
      });
      await talker.answer('s', asked.questionId!, option);
    }
    const written = ['refused', 'granted'].map((file) => existsSync(join(interns.homeOf(id), file)));
    expect(written).toEqual([false, true]);
  }, 90_000);

  offlineContract(() => interns);
});
