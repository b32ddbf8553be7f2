import { RESPONSES_USAGE } from '../../support/vendors/responses-vendor.js';
import { startTextStage, type TextStage } from '../../support/calls/text-stage.js';

const OUTPUT = [
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
  { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA' },
];
const COMPACTION = {
  id: 'resp_1',
  object: 'response.compaction',
  created_at: 1,
  output: OUTPUT,
  usage: RESPONSES_USAGE,
};

describe('POST /responses/compact', () => {
  let stage: TextStage;
  beforeAll(async () => (stage = await startTextStage()));
  afterAll(() => stage.stop());

  const compact = (body: object) =>
    stage.service.standard.post('/responses/compact', { json: { model: 'rules/openai', input: 'Hello', ...body } });

  it('forwards the conversation, and bills the call', async () => {
    stage.vendors.openai.script({ body: COMPACTION });
    const input = [
      { role: 'user', content: 'Hello' },
      { type: 'something_new', a: 1 },
    ];
    const answer = await compact({ input, instructions: 'Be brief', max_output_tokens: 20, store: false });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      ...COMPACTION,
      id: answer.headers.get('x-generation-id'),
      usage: expect.objectContaining({ input_tokens: 11, output_tokens: 7, cost: 0.000_025 }),
    });
    const { path, json } = stage.vendors.openai.seen.at(-1)!;
    expect([path, json]).toEqual(['/v1/responses/compact', { model: 'vendor-model', input, instructions: 'Be brief' }]);
  });

  it.each(['rules/deepinfra', 'rules/anthropic', 'builtin/eliza'])('returns 404 for %s', async (model) => {
    const { status, json } = await compact({ model });
    expect([status, json.error.code]).toEqual([404, 404]);
  });

  it.each([
    [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, 'item_reference'],
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
  ])('refuses %j', async (body, name) => {
    const { status, json } = await compact(body);
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(name)]);
  });

  it.each([
    [{ body: { error: { message: 'x', code: 'rate_limit' } } }, 429],
    [{ body: { object: 'response.compaction' } }, 502],
    [{ status: 500, body: {} }, 502],
  ])('returns an error if the vendor returns %j', async (script, status) => {
    stage.vendors.openai.script(script);
    expect((await compact({})).status).toBe(status);
  });
});
