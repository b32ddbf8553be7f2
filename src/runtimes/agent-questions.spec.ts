import { openAgentStage, type AgentStage } from '../../test/support/interns/agent-stage.js';
import type { ScriptedCall } from '../../test/support/vendors/scripted-model.js';
import type { TurnRequest } from './turn.js';

const PLACEHOLDER = '__vault__github_token__';
const HOST = 'api.example.com';

describe('a question for permission', () => {
  let stage: AgentStage;
  beforeAll(async () => {
    stage = await openAgentStage();
    await stage.boot();
  });
  afterAll(() => stage.close());

  /** Runs the calls in manual mode; every question is answered with `option`. */
  async function asked(
    calls: readonly ScriptedCall['arguments'][],
    option: 'allow_once' | 'allow_always' | 'reject_once',
    changes: Partial<TurnRequest> = {},
  ): Promise<string[]> {
    stage.model.script({ calls: calls.map((each) => ({ name: 'http_request', arguments: each })) });
    const questions: string[] = [];
    const request = { approvalMode: 'manual', allowedHosts: [HOST], ...changes } as const;
    await stage.turn('Go', request, ({ question, questionId }, turn) => {
      if (question.kind === 'permission') questions.push(question.operation);
      turn.answer(questionId, { kind: 'permission', option });
    });
    return questions;
  }

  const profile = {
    name: 'night-watch',
    description: null,
    instructions: null,
    model: null,
    secrets: [{ name: 'github_token', hosts: [HOST], placeholder: PLACEHOLDER }],
  };

  it('shows everything that is sent: method, address, headers with placeholders, and body', async () => {
    const [question] = await asked(
      [
        {
          method: 'POST',
          url: `https://${HOST}/issues?q=1#here`,
          headers: { Authorization: `Bearer ${PLACEHOLDER}`, 'X-Note': 'a\u00adb' },
          body: `start\u202e${'x'.repeat(5_000)}end`,
        },
      ],
      'reject_once',
      { sessionId: 'whole', profile },
    );
    expect(question!.split('\n')).toEqual([
      `http_request: POST "https://${HOST}/issues?q=1"`,
      'Headers:',
      '  "accept-encoding": "identity"',
      '  "user-agent": "gatehouse-intern"',
      `  "authorization": "Bearer ${PLACEHOLDER}"`,
      '  "x-note": "a\\u00adb"',
      expect.stringMatching(/^Body, 5009 characters: "start\\u202ex+" … \d+ characters left out … "x+end"$/),
      'Secrets that are filled in: github_token',
      `"Always" covers, in this session: POST, PUT, PATCH, DELETE requests to https://${HOST}`,
    ]);
  });

  it('names a secret if its placeholder is in encoded credentials', async () => {
    const headers = { authorization: `Basic ${Buffer.from(`me:${PLACEHOLDER}`).toString('base64')}` };
    const [question] = await asked([{ url: `https://${HOST}/`, headers }], 'reject_once', {
      sessionId: 'basic',
      profile,
    });
    expect(question).toContain('\nSecrets that are filled in: github_token\n');
  });

  it('always shows its last line, however long the request is', async () => {
    const headers = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`x-${at}-${'n'.repeat(5_000)}`, '\u0080'.repeat(5_000)]),
    );
    const call = { method: 'PUT', url: `https://${HOST}/${'a'.repeat(8_000)}`, headers, body: '\0'.repeat(100_000) };
    const [question] = await asked([call], 'reject_once', { sessionId: 'long' });
    expect(question!.split('\n').at(-1)).toMatch(/^"Always" covers, in this session: POST/);
  });

  it('has separate "always" answers for reading and for writing', async () => {
    const calls = ['GET', 'HEAD', 'GET', 'POST', 'PUT', 'DELETE', 'GET'].map((method) => ({
      method,
      url: `https://${HOST}/x`,
    }));
    const questions = await asked(calls, 'allow_always', { sessionId: 'apart' });
    expect(questions.map((question) => question.split('\n')[0])).toEqual([
      `http_request: GET "https://${HOST}/x"`,
      `http_request: POST "https://${HOST}/x"`,
    ]);
    expect(questions[0]).toMatch(
      /"Always" covers, in this session: GET, HEAD requests to https:\/\/api\.example\.com$/,
    );
  });

  it('has a separate "always" answer for each scheme and port', async () => {
    const urls = [
      `https://${HOST}/`,
      `http://${HOST}/`,
      `https://${HOST}:8443/`,
      `https://${HOST}:443/`,
      `http://${HOST}/y`,
    ];
    const questions = await asked(
      urls.map((url) => ({ url })),
      'allow_always',
      { sessionId: 'schemes' },
    );
    expect(questions.map((question) => question.split('requests to ')[1])).toEqual([
      `https://${HOST}`,
      `http://${HOST}`,
      `https://${HOST}:8443`,
    ]);
  });

  it('names a host that is not allowed yet and that permission would open', async () => {
    const [question] = await asked([{ url: 'https://further.test/' }], 'reject_once', { sessionId: 'further' });
    expect(question).toContain('\nOpens the host further.test to the intern: for this turn, or with "always" until');
    const [known] = await asked([{ url: `https://${HOST}/` }], 'reject_once', { sessionId: 'known' });
    expect(known).not.toContain('Opens the host');
  });
});
