import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  openAgentStage,
  toolResults,
  type AgentStage,
  type OnQuestion,
  type QuestionEvent,
} from '../../test/support/interns/agent-stage.js';
import type { ScriptedCall } from '../../test/support/vendors/scripted-model.js';
import type { Answer, TurnRequest } from './turn.js';

const get = (host: string): ScriptedCall => ({ name: 'http_request', arguments: { url: `https://${host}/x` } });
const write = (path: string): ScriptedCall => ({ name: 'write_file', arguments: { path, content: 'text' } });
const REFUSED = 'Error: The user does not permit this';

describe('an agent that needs permission', () => {
  let stage: AgentStage;
  const opened: string[] = [];
  const ended: string[] = [];
  const boot = async () =>
    stage.boot({ hostGrants: { allow: (host) => void opened.push(host), end: (host) => void ended.push(host) } });
  beforeAll(async () => {
    stage = await openAgentStage();
    await boot();
  });
  afterAll(() => stage.close());
  beforeEach(() => {
    stage.model.calls.splice(0);
    stage.model.ways.splice(0);
    opened.splice(0);
    ended.splice(0);
  });
  const exists = (path: string): Promise<boolean> =>
    access(join(stage.home, path)).then(
      () => true,
      () => false,
    );

  /** Runs the calls in one turn; returns the questions and the results. */
  async function perform(
    calls: readonly ScriptedCall[],
    changes: Partial<TurnRequest>,
    ...options: Extract<Answer, { kind: 'permission' }>['option'][]
  ): Promise<{ asked: QuestionEvent['question'][]; results: string[] }> {
    stage.model.script({ calls });
    const asked: QuestionEvent['question'][] = [];
    const onQuestion: OnQuestion = ({ questionId, question }, turn) => {
      asked.push(question);
      const option = options.shift();
      if (option === undefined) return turn.cancel();
      expect(turn.answer(questionId, { kind: 'elicitation', action: 'accept' })).toBe(false);
      expect(turn.answer(questionId, { kind: 'permission', option })).toBe(true);
      expect(turn.answer(questionId, { kind: 'permission', option })).toBe(false);
    };
    expect((await stage.turn('Go', changes, onQuestion)).at(-1)!.type).toBe('end');
    return { asked, results: toolResults(stage.model.calls.at(-1)!.json).slice(-calls.length) };
  }

  const manual = (sessionId: string): Partial<TurnRequest> => ({ sessionId, approvalMode: 'manual' });

  it('asks before each effect in manual mode, and never before list_files, read_file or recall', async () => {
    const calls = [
      { name: 'list_files', arguments: {} },
      { name: 'recall', arguments: {} },
      { name: 'read_file', arguments: { path: 'none' } },
      write('once.txt'),
      write('refused.txt'),
      write('dismissed.txt'),
      { name: 'remember', arguments: { note: 'note' } },
      get('api.example.com'),
    ];
    const { asked, results } = await perform(
      calls,
      manual('m1'),
      'allow_once',
      'reject_once',
      'cancel',
      'reject_once',
      'allow_once',
    );
    expect(asked).toHaveLength(5);
    expect(asked[0]).toEqual({
      kind: 'permission',
      operation:
        'write_file: write "once.txt": "text"\n' +
        '"Always" covers, in this session: every change of a file on the disk of the intern',
      options: ['allow_once', 'allow_always', 'reject_once', 'reject_always'],
    });
    expect(asked[4]).toMatchObject({
      operation: expect.stringMatching(/^http_request: GET "https:\/\/api\.example\.com\/x"\n/) as string,
    });
    expect([results[3], results[4], results[6]]).toEqual(['Done.', REFUSED, REFUSED]);
    expect(results[5]).toMatch(/^Error: The user dismissed/);
    expect(results[7]).toMatch(/^HTTP 200/);
    expect([await exists('once.txt'), await exists('refused.txt'), await exists('dismissed.txt')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('remembers "always" for the session, also after a restart, and for no other session', async () => {
    const calls = [write('a1.txt'), write('a2.txt'), { name: 'remember', arguments: { note: 'note' } }];
    expect((await perform(calls, manual('m2'), 'allow_always', 'reject_always')).asked).toHaveLength(2);
    await boot();
    const later = await perform(calls, manual('m2'));
    expect(later.asked).toEqual([]);
    expect(later.results).toEqual(['Done.', 'Done.', REFUSED]);
    expect((await perform([write('a3.txt')], manual('m3'), 'reject_once')).asked).toHaveLength(1);
  });

  it('reaches hosts of secrets and allowed hosts in self-drive mode, and no other host', async () => {
    const changes: Partial<TurnRequest> = { sessionId: 'd1', allowedHosts: ['allowed.test'] };
    const hosts = ['api.example.com', 'allowed.test', 'sub.allowed.test', 'elsewhere.test', 'API.example.com.'];
    const { asked, results } = await perform(hosts.map(get), changes);
    expect(asked).toEqual([]);
    expect(results.map((result) => result.split('\n')[0])).toEqual([
      'HTTP 200',
      'HTTP 200',
      'Error: The host sub.allowed.test is not allowed: no secret is bound to it',
      'Error: The host elsewhere.test is not allowed: no secret is bound to it',
      'HTTP 200',
    ]);
    expect(stage.model.ways.map((way) => way.replace('.:', ':'))).toEqual([
      'api.example.com:443',
      'allowed.test:443',
      'api.example.com:443',
    ]);
    expect(opened).toEqual([]);
  });

  it('asks for each further host in manual mode, and opens the host before the request', async () => {
    const hosts = [get('one.test'), get('two.test'), get('one.test'), get('two.test'), get('three.test')];
    const options = ['allow_once', 'allow_always', 'reject_once', 'reject_once'] as const;
    const { asked, results } = await perform(hosts, manual('m4'), ...options);
    expect(asked).toHaveLength(4);
    expect(results.map((result) => result.split('\n')[0])).toEqual([
      'HTTP 200',
      'HTTP 200',
      REFUSED,
      'HTTP 200',
      REFUSED,
    ]);
    expect(opened).toEqual(['one.test', 'two.test']);
    expect(ended).toEqual(['one.test']);
    expect(stage.model.ways).toEqual(['one.test:443', 'two.test:443', 'two.test:443']);
  });

  it('asks again for a further host after a restart, because the proxy has forgotten the host', async () => {
    await perform([get('four.test')], manual('m5'), 'allow_always');
    await boot();
    expect((await perform([get('four.test')], manual('m5'), 'allow_once')).asked).toHaveLength(1);
    expect(opened).toEqual(['four.test', 'four.test']);
  });

  it('asks the user for information, and hands the answer to the model', async () => {
    const fields = [{ name: 'gate', type: 'number', description: 'Its number', required: true }];
    stage.model.script({
      calls: [
        { name: 'ask', arguments: { message: 'Which gate?', fields } },
        { name: 'ask', arguments: { message: 'Why?' } },
        { name: 'ask', arguments: { message: 'Bad', fields: [{ name: 'x', type: 'date' }] } },
      ],
    });
    const asked: QuestionEvent['question'][] = [];
    await stage.turn('Go', {}, ({ question, questionId }, turn) => {
      asked.push(question);
      const isFirst = asked.length === 1;
      turn.answer(questionId, {
        kind: 'elicitation',
        action: isFirst ? 'accept' : 'decline',
        ...(isFirst ? { content: { gate: 7 } } : {}),
      });
    });
    expect(asked).toEqual([
      { kind: 'elicitation', message: 'Which gate?', fields },
      { kind: 'elicitation', message: 'Why?', fields: [{ name: 'answer', type: 'string', required: true }] },
    ]);
    expect(toolResults(stage.model.calls.at(-1)!.json).slice(-3)).toEqual([
      '{"gate":7}',
      'The user declined to answer.',
      'Error: The type of a field must be string, number or boolean',
    ]);
  });

  it('shows the object of a question in quotes and on one line', async () => {
    const path = 'a"\nb.txt';
    const { asked } = await perform([write(path)], manual('m6'), 'allow_once');
    expect(asked[0]).toMatchObject({
      operation: expect.stringMatching(/^write_file: write "a\\"\\nb\.txt": "text"\n"Always" covers/) as string,
    });
    expect(await readFile(join(stage.home, path), 'utf8')).toBe('text');
  });
});
