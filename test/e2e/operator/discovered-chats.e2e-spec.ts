import { settledSpend } from '../../support/money/account-totals.js';
import { eventually } from '../../support/eventually.js';
import { startModelServer, type ModelServer } from '../../support/engines/model-server.js';
import { operate } from '../../support/services/operator-line.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const MODEL = 'org/model:8b';
const COMPLETION = {
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: MODEL,
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello' } }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
};
/** Local servers with their lists of models. The context of the model is 4,096 tokens. */
const SERVERS: [provider: string, variable: string, list: Record<string, unknown>][] = [
  [
    'ollama',
    'OLLAMA_BASE_URL',
    {
      'GET /api/tags': { models: [{ model: MODEL }] },
      [`POST /api/show ${MODEL}`]: {
        capabilities: ['completion'],
        model_info: { 'general.architecture': 'llama', 'llama.context_length': 4096 },
      },
    },
  ],
  [
    'lmstudio',
    'LMSTUDIO_BASE_URL',
    { 'GET /api/v0/models': { data: [{ id: MODEL, type: 'llm', max_context_length: 4096 }] } },
  ],
  ['vllm', 'VLLM_BASE_URL', { 'GET /v1/models': { data: [{ id: MODEL, max_model_len: 4096 }] } }],
  ['llama.cpp', 'LLAMA_CPP_BASE_URL', { 'GET /v1/models': { data: [{ id: MODEL, meta: { n_ctx_train: 4096 } }] } }],
];

describe('the discovery of a local server by one command', () => {
  let service: TestService;
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer({});
    const env = Object.fromEntries(SERVERS.map(([, variable]) => [variable, server.baseUrl]));
    service = await startTestService({ env: { ...env, BOOTSTRAP_CREDITS_USD: '0' } });
  });
  afterAll(async () => {
    await service.stop();
    await server.close();
  });

  it.each(SERVERS)(
    'makes chats with %s possible at price 0, without a credential and without credits',
    async (provider, variable, list) => {
      server.answers = { ...list, [`POST /v1/chat/completions ${MODEL}`]: COMPLETION };
      const env = { DATABASE_URL: service.databaseUrl, MASTER_KEY: 'a1'.repeat(32), [variable]: server.baseUrl };
      const { lines, error } = await operate(service.databaseUrl, env, 'catalogue', 'discover', provider);
      expect(error).toBeUndefined();
      const id = `${provider}/org--model:8b`;
      expect(lines.join('\n')).toContain(id);
      await eventually(async () => expect((await service.standard.get(`/model/${id}`)).status).toBe(200));
      server.seen.length = 0;
      for (const stream of [false, true]) {
        const json = { model: id, messages: [{ role: 'user', content: 'Hi' }], stream };
        const answer = await service.standard.post('/chat/completions', { json });
        expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"cost":0')]);
        expect(answer.text).toContain('Hello');
      }
      expect(server.seen).toEqual(Array(2).fill('POST /v1/chat/completions'));
      expect(await settledSpend(service.sql)).toBe(0n);
    },
  );
});
