import { mintInternKey } from '../../support/interns/intern-origin.js';
import { HELLO, startTextStage, type TextStage } from '../../support/calls/text-stage.js';
import { TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';

let stage: TextStage;
beforeAll(async () => (stage = await startTextStage()));
afterAll(() => stage.stop());

/** Features that the gateway would have to provide itself, and the words in the error that name them. */
const UNBUILT: readonly (readonly [body: object, words: readonly string[]])[] = [
  [{ tools: [{ type: 'openrouter:web_search' }] }, ['tools[0]', 'openrouter:web_search']],
  [{ tools: [{ type: 'openrouter:datetime', parameters: {} }] }, ['tools[0]', 'openrouter:datetime']],
  [{ tools: [{ type: 'web_search' }] }, ['tools[0]', 'web_search']],
  [{ tools: [{ type: 'web_search_preview_2025_03_11' }] }, ['tools[0]', 'web_search_preview_2025_03_11']],
  [{ web_search_options: {} }, ['web_search_options']],
  ...['web', 'file-parser', 'response-healing', 'context-compression', 'moderation', 'auto-router', 'new'].map(
    (id) => [{ plugins: [{ id }] }, ['plugins', id]] as const,
  ),
  [
    {
      plugins: [
        { id: 'web', enabled: false },
        { id: 'moderation', enabled: true },
      ],
    },
    ['plugins', 'moderation'],
  ],
  [{ transforms: ['middle-out'] }, ['transforms', 'context-compression']],
  [{ preset: 'mine' }, ['preset']],
  [{ model: '@preset/mine' }, ['preset']],
  [{ model: 'rules/openai@preset/mine' }, ['preset']],
  [{ models: ['rules/openai', '@preset/mine'] }, ['preset']],
];

/** Members that contradict each other. */
const CONTRADICTIONS: readonly (readonly [body: object, words: readonly string[]])[] = [
  [{ reasoning: { effort: 'high' }, reasoning_effort: 'low' }, ['reasoning.effort', 'reasoning_effort']],
  [{ reasoning: { effort: 'high', max_tokens: 5 } }, ['reasoning.max_tokens']],
  [{ reasoning: { max_tokens: 5 }, reasoning_effort: 'high' }, ['reasoning.max_tokens']],
  [{ reasoning: { enabled: false, effort: 'high' } }, ['reasoning.enabled']],
  [{ reasoning: { enabled: true, effort: 'none' } }, ['reasoning.enabled']],
  [{ modalities: ['text', 'audio'] }, ['modalities', 'stream']],
];

describe('a chat request is refused', () => {
  const rows = [...UNBUILT, ...CONTRADICTIONS].map(([body, words]) => [JSON.stringify(body), body, words] as const);
  it.each(rows)('for %s', async (_, body, words) => {
    const calls = stage.vendors.openai.seen.length;
    for (const stream of [false, true]) {
      const { status, json } = await stage.chat({ ...body, stream });
      if (stream && words.includes('stream')) continue;
      expect([status, json.error?.metadata]).toEqual([400, { error_type: 'invalid_request' }]);
      for (const word of words) expect(json.error.message).toContain(word);
    }
    expect(stage.vendors.openai.seen.length - calls).toBe(words.includes('stream') ? 1 : 0);
  });

  it('without a model, unless models names a model', async () => {
    const refused = await stage.chat({ model: undefined });
    expect([refused.status, refused.json.error.message]).toEqual([400, expect.stringContaining('model')]);
    const served = await stage.chat({ model: undefined, models: ['rules/deepinfra'] });
    expect([served.status, served.json.model]).toEqual([200, 'rules/deepinfra']);
  });

  it.each(['', '{', '[]', '7', 'null', '{"messages":[]'])('for the body %s', async (body) => {
    const { status, json } = await stage.chat(body);
    expect([status, json.error.metadata]).toEqual([400, { error_type: 'invalid_request' }]);
  });
});

describe('a chat request', () => {
  it.each<[string, string | null | undefined, number]>([
    ['a standard key', undefined, 200],
    ['a management key', TEST_MANAGEMENT_KEY, 401],
    ['an unknown key', 'sk-unknown', 401],
    ['no key', null, 401],
  ])('with %s (%s) is answered %d', async (_, key, expected) => {
    const { status, json } = await stage.chat({}, { key });
    expect([status, json.error?.metadata]).toEqual([
      expected,
      expected === 200 ? undefined : { error_type: 'authentication' },
    ]);
  });

  it("with an intern's own key is accepted", async () => {
    const { service } = stage;
    const { id } = (await service.standard.post('/interns', { json: { name: 'thinker' } })).json;
    const own = await service.inside(id, await mintInternKey(service.app, service.sql, id));
    const { status, json } = await own.post('/chat/completions', { json: { model: 'rules/openai', messages: HELLO } });
    expect([status, json.model]).toEqual([200, 'rules/openai']);
  });
});
