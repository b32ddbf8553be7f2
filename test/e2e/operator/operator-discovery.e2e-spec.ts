import { eventually } from '../../support/eventually.js';
import { startModelServer, type ModelServer } from '../../support/engines/model-server.js';
import { operate, type OperatorResult } from '../../support/services/operator-line.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const show = (context: number, ...capabilities: string[]): object => ({
  capabilities,
  parameters: 'stop "<|eot|>"',
  model_info: { 'general.architecture': 'llama', 'llama.context_length': context },
});

describe("the operator's discovery of a server's models", () => {
  let service: TestService;
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer({});
    service = await startTestService({ env: { OLLAMA_BASE_URL: server.baseUrl } });
  });
  afterAll(async () => {
    await service.stop();
    await server.close();
  });
  beforeEach(() => {
    server.seen.length = 0;
    server.answers = {};
  });

  const discover = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<OperatorResult> =>
    operate(
      service.databaseUrl,
      { DATABASE_URL: service.databaseUrl, MASTER_KEY: 'a1'.repeat(32), ...env },
      'catalogue',
      'discover',
      ...words,
    );
  const rowsOf = ({ lines, error }: OperatorResult): { change: string; model: string; context?: number }[] => {
    expect(error).toBeUndefined();
    return lines.map((line) => JSON.parse(line) as { change: string; model: string; context?: number });
  };
  const model = async (id: string): Promise<{ status: number; json: { data: Record<string, never> } }> =>
    service.standard.get(`/model/${id}`);
  const endpoint = async (id: string): Promise<unknown> =>
    (await service.standard.get(`/models/${id}/endpoints`)).json.data.endpoints[0];
  const listed = (id: string): Promise<void> => eventually(async () => expect((await model(id)).status).toBe(200));

  it('lists the models of an ollama server at price 0, with their capabilities', async () => {
    server.answers = {
      'GET /api/tags': { models: [{ name: 'llama3.2:3b', model: 'llama3.2:3b' }, { name: 'nomic-embed-text' }] },
      'POST /api/show llama3.2:3b': show(131_072, 'completion', 'tools', 'vision'),
      'POST /api/show nomic-embed-text': show(2048, 'embedding'),
    };
    const outcome = await discover(['ollama', '--json'], { OLLAMA_BASE_URL: server.baseUrl });
    expect(rowsOf(outcome)).toEqual([
      { change: 'new', model: 'ollama/llama3.2:3b', name: 'llama3.2:3b', capability: 'chat', context: 131_072 },
      {
        change: 'new',
        model: 'ollama/nomic-embed-text',
        name: 'nomic-embed-text',
        capability: 'embeddings',
        context: 2048,
      },
    ]);
    expect(outcome.notes).toEqual([
      `Reading the models of ${server.baseUrl} …`,
      '1 of 2 models read',
      '2 of 2 models read',
      `Ollama at ${server.baseUrl}: 2 models, 2 of them new; imported.`,
    ]);
    await listed('ollama/llama3.2:3b');
    expect((await model('ollama/llama3.2:3b')).json.data).toMatchObject({
      name: 'Ollama: llama3.2:3b',
      context_length: 131_072,
      architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
      pricing: { prompt: '0', completion: '0' },
      supported_parameters: expect.arrayContaining(['tools', 'tool_choice', 'max_tokens']),
    });
    expect(await endpoint('ollama/llama3.2:3b')).toMatchObject({ provider_name: 'Ollama', tag: 'ollama' });
    const embedding = (await service.standard.get('/embeddings/models')).json.data;
    expect(embedding).toContainEqual(expect.objectContaining({ id: 'ollama/nomic-embed-text' }));
  });

  it('makes a discovered model callable at once, at price 0 and without a credential', async () => {
    const { data } = (await service.standard.get('/models/user')).json;
    expect(data).toContainEqual(expect.objectContaining({ id: 'ollama/llama3.2:3b' }));
    server.answers = {
      'POST /v1/chat/completions llama3.2:3b': {
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'llama3.2:3b',
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello' } }],
        usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
      },
    };
    const { status, json } = await service.standard.post('/chat/completions', {
      json: { model: 'ollama/llama3.2:3b', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 10 },
    });
    expect([status, json.choices[0].message.content, json.usage.cost]).toEqual([200, 'Hello', 0]);
    expect(server.seen).toEqual(['POST /v1/chat/completions']);
  });

  it('prints which models are unchanged, which changed, and which the server no longer lists', async () => {
    server.answers = {
      'GET /api/tags': { models: [{ model: 'llama3.2:3b' }] },
      'POST /api/show llama3.2:3b': { ...show(131_072, 'completion', 'tools', 'vision'), parameters: 'num_ctx   8192' },
    };
    const again = await discover(['ollama', '--json'], { OLLAMA_BASE_URL: server.baseUrl });
    expect(rowsOf(again).map(({ change, model: id, context }) => [change, id, context])).toEqual([
      ['changed', 'ollama/llama3.2:3b', 8192],
      ['not listed by the server', 'ollama/nomic-embed-text', undefined],
    ]);
    await eventually(async () => expect((await model('ollama/llama3.2:3b')).json.data.context_length).toBe(8192));
    expect(rowsOf(await discover(['ollama', '--json'], { OLLAMA_BASE_URL: server.baseUrl }))[0]!.change).toBe('-');
  });

  it('uses the prices of the options, and the context length that the server reports', async () => {
    server.answers = {
      'GET /v1/models': {
        object: 'list',
        data: [{ id: 'meta-llama/Llama 3.1', object: 'model', created: 1, max_model_len: 4096 }],
      },
    };
    const words = ['vllm', '--base-url', `${server.baseUrl}/`, '--prompt-usd-per-million', '0.5'];
    const outcome = await discover([...words, '--completion-usd-per-million', '1.25']);
    expect(outcome.error).toBeUndefined();
    expect(outcome.notes.at(-1)).toBe(
      `The service itself uses http://127.0.0.1:8000/v1: start it with VLLM_BASE_URL=${server.baseUrl}`,
    );
    await listed('vllm/meta-llama--Llama-3.1');
    expect((await model('vllm/meta-llama--Llama-3.1')).json.data).toMatchObject({
      context_length: 4096,
      pricing: { prompt: '0.0000005', completion: '0.00000125' },
    });
  });

  it.each([
    ['llama.cpp', 'LLAMA_CPP_BASE_URL', { 'GET /v1/models': { data: [{ id: 'a.gguf', meta: { n_ctx_train: 512 } }] } }],
    ['sglang', 'SGLANG_BASE_URL', { 'GET /v1/models': { data: [{ id: 'a.gguf', max_model_len: 512 }] } }],
    [
      'lmstudio',
      'LMSTUDIO_BASE_URL',
      { 'GET /api/v0/models': { data: [{ id: 'a.gguf', type: 'vlm', max_context_length: 512 }] } },
    ],
    ['lmstudio', 'LMSTUDIO_BASE_URL', { 'GET /v1/models': { data: [{ id: 'a.gguf' }] } }],
  ])('reads the list of %s from the address in %s', async (provider, variable, answers) => {
    server.answers = answers;
    const rows = rowsOf(await discover([provider, '--dry-run', '--json'], { [variable]: server.baseUrl }));
    expect(rows.map(({ change, model: id }) => [change, id])).toEqual([['new', `${provider}/a.gguf`]]);
    if (JSON.stringify(answers).includes('512')) expect(rows[0]!.context).toBe(512);
  });

  it('changes nothing on a dry run', async () => {
    server.answers = { 'GET /v1/models': { data: [{ id: 'unseen' }] } };
    const imports = (): Promise<unknown> => service.sql.query('select max(no) from catalogue_import');
    const before = await imports();
    const { notes } = await discover(['sglang', '--base-url', server.baseUrl, '--dry-run']);
    expect(notes).toContain(`SGLang at ${server.baseUrl}: 1 models, 1 of them new; nothing was changed (--dry-run).`);
    expect(await imports()).toEqual(before);
  });

  it('sends the credential of a vendor, requires prices, and does not change shipped models', async () => {
    server.answers = { 'GET /v1/models': { data: [{ id: 'gpt-5.4' }, { id: 'gpt-next' }] } };
    const env = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'sk-of-the-operator' };
    expect((await discover(['openai'], env)).error).toMatchObject({
      message: expect.stringContaining('--prompt-usd-per-million'),
    });
    expect(server.seen).toEqual([]);
    const prices = ['--prompt-usd-per-million', '1', '--completion-usd-per-million', '2'];
    const rows = rowsOf(await discover(['openai', ...prices, '--dry-run', '--json'], env));
    expect(rows.filter(({ change }) => /new|^-/.test(change)).map(({ change, model: id }) => [change, id])).toEqual([
      ['-', 'openai/gpt-5.4'],
      ['new', 'openai/gpt-next'],
    ]);
    expect(server.seen).toEqual(['GET /v1/models Bearer sk-of-the-operator']);
  });

  it('imports nothing if all models of the server ship with the service', async () => {
    server.answers = { 'GET /v1/models': { data: [{ id: 'gpt-5.4' }] } };
    const imports = (): Promise<unknown> => service.sql.query('select max(no) from catalogue_import');
    const before = await imports();
    const prices = ['--prompt-usd-per-million', '1', '--completion-usd-per-million', '2'];
    const env = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'sk-of-the-operator' };
    const { notes } = await discover(['openai', ...prices], env);
    expect(notes).toContain(`OpenAI at ${server.baseUrl}: 1 models, 0 of them new; nothing to import.`);
    expect(await imports()).toEqual(before);
  });

  it.each<[string, string[], Record<string, unknown>, RegExp]>([
    ['a provider without a list of models', ['anthropic'], {}, /cannot be discovered. Servers of your own: .*ollama/],
    ['an invalid address', ['vllm', '--base-url', 'localhost'], {}, /^--base-url must be a URL/],
    ['an invalid price', ['vllm', '--prompt-usd-per-million', '-1'], {}, /^--prompt-usd-per-million must be/],
    [
      'a server that cannot be reached',
      ['vllm', '--base-url', 'http://127.0.0.1:9/v1'],
      {},
      /cannot be reached: .*VLLM_BASE_URL/,
    ],
    ['a server without the route', ['vllm'], {}, /returned status 404.*Nothing was changed/],
    ['a server that lists nothing', ['vllm'], { 'GET /v1/models': { data: [] } }, /lists no models: load one first/],
    ['a response that is not a list', ['vllm'], { 'GET /v1/models': { data: 'none' } }, /returned no list of models/],
    ['a response that is not JSON', ['vllm'], { 'GET /v1/models': '<html>' }, /returned no JSON/],
  ])('refuses %s with an error of one line', async (_, words, answers, message) => {
    server.answers = answers;
    const { error } = await discover(words, { VLLM_BASE_URL: server.baseUrl });
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message.split('\n')).toHaveLength(1);
  });

  it('lists its options for --help', async () => {
    const shown: string[] = [];
    const { write } = process.stdout;
    process.stdout.write = (text: string | Uint8Array) => shown.push(String(text)) > 0;
    try {
      await discover(['--help']);
    } finally {
      process.stdout.write = write;
    }
    for (const option of ['--base-url', '--prompt-usd-per-million', '--completion-usd-per-million', '--dry-run'])
      expect(shown.join('')).toContain(option);
  });
});
