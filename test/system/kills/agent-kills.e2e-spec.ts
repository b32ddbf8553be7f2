import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventsOf, openAgentStage, toolResults, type AgentStage } from '../../support/interns/agent-stage.js';
import { eventually } from '../../support/eventually.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { RandomNumbers } from '../../support/random-numbers.js';

const KILLS = LONG_TESTS ? 200 : 4;
const SEED = Number(process.env['SEED'] ?? 19);
interface Message {
  readonly role: string;
  readonly content: string | null;
}

const SESSION = { sessionId: 'kept' };

/** Kills the agent in the middle of turns. Each turn causes one effect, which a host counts. */
describe('an agent that is killed in its turns', () => {
  let stage: AgentStage;
  const random = new RandomNumbers(SEED);
  beforeAll(async () => {
    stage = await openAgentStage();
    await stage.boot();
    stage.model.respond = ({ json }) => {
      const last = json.messages.at(-1) as { role: string; content: string };
      const id = /number (\d+)/.exec(last.content)?.[1];
      if (last.role !== 'user' || id === undefined) return { text: 'ok' };
      const url = `https://api.example.com/count?id=${id}`;
      return { calls: [{ name: 'http_request', arguments: { url, method: 'POST' } }] };
    };
  });
  afterAll(() => stage.close());
  const counted = (id: number): number => stage.world.arrivals.filter(({ url }) => url === `/count?id=${id}`).length;
  const kill = async (): Promise<void> => void process.kill(await stage.pid(), 'SIGKILL');

  const POINTS: Record<string, (id: number) => Promise<unknown>> = {
    'at once': async () => undefined,
    'at the first call of the model': async () => {
      const before = stage.model.calls.length;
      return eventually(async () => expect(stage.model.calls.length).toBeGreaterThan(before));
    },
    'at the effect': (id) => eventually(async () => expect(counted(id)).toBe(1)),
    'at the second call of the model': async () => {
      const before = stage.model.calls.length;
      return eventually(async () => expect(stage.model.calls.length).toBeGreaterThan(before + 1));
    },
    'at some time': () => sleep(random.int(0, 150)),
  };

  it(`causes no effect twice and loses no message in ${KILLS} kills (seed ${SEED})`, async () => {
    const outcomes = { done: 0, unknown: 0, notDone: 0 };
    for (let id = 1; id <= KILLS; id++) {
      const point = Object.keys(POINTS)[id % 5]!;
      // The host responds slowly, so that the kill occurs between the effect and its result.
      if (point === 'at the effect') stage.world.scripted = Array.from({ length: 5_000 }, () => '');
      const turn = stage.runtime().startTurn(stage.request(`number ${id}.`, SESSION));
      const events = eventsOf(turn);
      await POINTS[point]!(id);
      await kill();
      await stage.runtime().ended;
      stage.world.scripted = undefined;
      const last = (await events).at(-1)!;
      await stage.boot();
      expect((await stage.turn('And now?', SESSION)).at(-1)!.type).toBe('end');
      const { messages } = stage.model.calls.at(-1)!.json;
      const mine = messages.findLastIndex((message: Message) => message.content?.includes(`number ${id}.`));
      // If the message was not durable yet, its turn must have failed.
      expect([point, mine >= 0 || last.type === 'failed']).toEqual([point, true]);
      if (mine < 0) continue;
      const results = toolResults({ messages: messages.slice(mine) });
      const [result = 'none'] = results;
      expect(results.length).toBeLessThanOrEqual(1);
      if (result.startsWith('HTTP 200')) outcomes.done++;
      else if (result.startsWith('Unknown outcome')) outcomes.unknown++;
      else outcomes.notDone++;
      const [min, max]: [number, number] = result.startsWith('HTTP 200')
        ? [1, 1]
        : result.startsWith('Unknown')
          ? [0, 1]
          : [0, 0];
      expect([point, result, counted(id) >= min && counted(id) <= max]).toEqual([point, result, true]);
      // The last record may be durable although its event was lost.
      const isComplete = messages.slice(mine).some(({ content }: Message) => content === 'ok');
      if (last.type === 'failed' && !isComplete)
        expect(messages.at(-1)).toMatchObject({
          role: 'user',
          content: expect.stringMatching(/interrupted/) as string,
        });
    }
    process.stdout.write(`agent kills: ${JSON.stringify(outcomes)}\n`);
    expect(outcomes.unknown).toBeGreaterThan(0);
    expect(Math.max(...stage.world.arrivals.map(({ url }) => Number(url.split('=')[1])).map(counted))).toBe(1);
  }, 1_800_000);

  it('continues after a partially written line', async () => {
    const folder = join(stage.home, '.intern', 'sessions');
    await stage.turn('Before', { sessionId: 'torn' });
    for (const name of await readdir(folder)) await appendFile(join(folder, name, 'transcript.jsonl'), '{"type":"tu');
    await stage.turn('After', { sessionId: 'torn' });
    await stage.turn('And then', { sessionId: 'torn' });
    const { messages } = stage.model.calls.at(-1)!.json;
    const users = messages.filter(({ role }: { role: string }) => role === 'user');
    expect(users.map(({ content }: { content: string }) => content)).toEqual(['Before', 'After', 'And then']);
  });
});
