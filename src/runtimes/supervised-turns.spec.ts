import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  eventsOf,
  LIMITS,
  openAgentStage,
  textOf,
  toolResults,
  type AgentStage,
} from '../../test/support/interns/agent-stage.js';
import { eventually } from '../../test/support/eventually.js';

const COST = { promptTokens: 10, cachedTokens: 1, completionTokens: 10, costUsd: 0.000_001 };

describe('turns of an agent', () => {
  let stage: AgentStage;
  beforeAll(async () => {
    stage = await openAgentStage();
    await stage.boot({ description: 'Guards the gate.', model: 'scripted/model' });
  });
  afterAll(() => stage.close());
  beforeEach(() => {
    stage.model.calls.splice(0);
  });

  it('use the model, the key and the session of the intern, and stream the reply', async () => {
    stage.model.script({ reasoning: 'Hm.', text: 'Good evening to you.' });
    const events = await stage.turn('Hello', { sessionId: 's1' });
    expect(events.filter(({ type }) => type === 'reasoning')).toEqual([{ type: 'reasoning', text: 'Hm.' }]);
    expect(textOf(events)).toBe('Good evening to you.');
    expect(events.at(-1)).toEqual({ type: 'end', usage: COST, model: 'scripted/model' });
    const [{ key, json }] = stage.model.calls as [(typeof stage.model.calls)[0]];
    expect(key).toBe('Bearer sk-of-this-boot');
    expect(json).toMatchObject({ model: 'scripted/model', session_id: 's1', stream: true });
    const [system, user] = json.messages;
    for (const part of [
      'night-watch',
      'Guards the gate.',
      'Watch the night.',
      '__vault__api_token__',
      'api.example.com',
    ])
      expect(system.content).toContain(part);
    expect(user).toEqual({ role: 'user', content: 'Hello' });
    expect(json.tools.map((tool: { function: { name: string } }) => tool.function.name)).toEqual([
      'http_request',
      'list_files',
      'read_file',
      'write_file',
      'remember',
      'recall',
      'ask',
    ]);
  });

  it('remember the session, also after a restart, and no other session', async () => {
    await stage.turn('My name is Ada', { sessionId: 's2' });
    await stage.boot();
    await stage.turn('What is my name?', { sessionId: 's2' });
    const contents = stage.model.calls
      .at(-1)!
      .json.messages.slice(1)
      .map(({ content }: { content: string }) => content);
    expect(contents).toEqual(['My name is Ada', 'Done.', 'What is my name?']);
    expect(stage.model.calls.at(-1)!.json.model).toBe('builtin/eliza');
    await stage.turn('Hello', { sessionId: 's3' });
    expect(stage.model.calls.at(-1)!.json.messages).toHaveLength(2);
  });

  it('are listed by session, newest first, and deleted with the session', async () => {
    const id = `../../\u0000"${'é'.repeat(100)}`;
    await stage.turn('Hello', { sessionId: id });
    await stage.turn('Again', { sessionId: id });
    const [newest, ...others] = await stage.runtime().sessions();
    expect(newest).toEqual({
      sessionId: id,
      turns: 2,
      createdAt: expect.any(Number) as number,
      updatedAt: expect.any(Number) as number,
    });
    expect(others.map(({ sessionId }) => sessionId)).toEqual(['s3', 's2', 's1']);
    expect(await stage.runtime().deleteSession(id)).toBe(true);
    expect(await stage.runtime().deleteSession(id)).toBe(false);
    expect((await stage.runtime().sessions()).map(({ sessionId }) => sessionId)).toEqual(['s3', 's2', 's1']);
    await stage.turn('Who am I?', { sessionId: id });
    expect(stage.model.calls.at(-1)!.json.messages).toHaveLength(2);
  });

  it('write a record of all events to the disk', async () => {
    stage.model.script({ calls: [{ name: 'write_file', arguments: { path: 'a.txt', content: 'x' } }] });
    await stage.turn('Write it', { sessionId: 's4' });
    const folder = join(stage.home, '.intern', 'sessions');
    const transcripts = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name, 'transcript.jsonl'), 'utf8')),
    );
    const records = transcripts.find((text) => text.includes('Write it'))!;
    const types = records
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(['turn', 'assistant', 'intent', 'result', 'assistant', 'finished']);
  });

  it('add a message of the user before the next call of the model', async () => {
    let steer: (() => void) | undefined;
    stage.model.respond = () => {
      steer?.();
      steer = undefined;
      return { calls: stage.model.calls.length === 1 ? [{ name: 'list_files', arguments: {} }] : [], text: 'ok' };
    };
    const turn = stage.runtime().startTurn(stage.request('Go', { sessionId: 's5' }));
    steer = () => turn.steer('Left, please');
    expect((await eventsOf(turn)).at(-1)!.type).toBe('end');
    stage.model.respond = () => ({ text: 'ok' });
    await eventually(async () => {
      await stage.turn('And?', { sessionId: 's5' });
      const { messages } = stage.model.calls.at(-1)!.json;
      expect(messages).toContainEqual({ role: 'user', content: 'Left, please' });
    });
  });

  it('run one at a time', async () => {
    stage.model.script({ stalls: true });
    const first = stage.runtime().startTurn(stage.request('Wait'));
    await eventually(async () => expect(stage.model.calls).toHaveLength(1));
    expect((await stage.turn('Me too')).at(-1)).toMatchObject({ type: 'failed', reason: 'internal', retryable: true });
    first.cancel();
    expect((await eventsOf(first)).at(-1)).toMatchObject({ type: 'failed', reason: 'cancelled' });
    expect((await stage.turn('Now?')).at(-1)!.type).toBe('end');
  });

  it('report a tool that does not exist, and arguments that are not valid, to the model', async () => {
    stage.model.script({
      calls: [
        { name: 'launch', arguments: {} },
        { name: 'read_file', arguments: '{"path": ' },
        { name: 'read_file', arguments: '[1]' },
        { name: 'read_file', arguments: { path: 7 } },
        { name: 'http_request', arguments: { url: 'file:///etc/passwd' } },
        { name: 'http_request', arguments: { url: 'http://gatehouse.internal/api/v1/keys' } },
        { name: 'run_command', arguments: { command: ['id'] } },
      ],
    });
    expect((await stage.turn('Try')).at(-1)!.type).toBe('end');
    const results = toolResults(stage.model.calls.at(-1)!.json).slice(-7);
    expect(results).toHaveLength(7);
    for (const result of results) expect(result).toMatch(/^Error: /);
    expect(stage.model.ways).toEqual([]);
  });

  it('keep a memory that all sessions share', async () => {
    stage.model.script({ calls: [{ name: 'remember', arguments: { note: 'The gate is green.' } }] });
    await stage.turn('Remember it', { sessionId: 's6', limits: LIMITS });
    stage.model.script({ calls: [{ name: 'recall', arguments: {} }] });
    await stage.turn('Well?', { sessionId: 's7' });
    expect(toolResults(stage.model.calls.at(-1)!.json)).toEqual(['The gate is green.\n']);
  });
});
