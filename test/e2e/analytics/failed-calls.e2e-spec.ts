import { eventually } from '../../support/eventually.js';
import { CHAT_USAGE, streamEvents } from '../../support/vendors/scripted-chat-vendor.js';
import type { ScriptedVendor } from '../../support/vendors/scripted-vendor.js';
import type { TestService } from '../../support/services/test-service.js';
import { aTextEndpoint, startTextStage, type TextStage } from '../../support/calls/text-stage.js';
import { startVendorStage } from '../../support/vendors/vendor-stage.js';

const WORDS = 'the words of the vendor quote a prompt';
const OVERLOADED = { code: 'provider_overloaded', message: 'The provider is overloaded. Try again later.' };
const FAILED = { code: 'provider_failed', message: 'The provider failed to answer this request' };
const TWO = { model: 'rules/two', provider: { order: ['openai', 'siliconflow'] } };

describe('the details of a call that failed', () => {
  let stage: TextStage;
  beforeAll(async () => {
    stage = await startTextStage();
    stage.teach('rules/two', [aTextEndpoint('openai'), aTextEndpoint('siliconflow')]);
  });
  afterAll(() => stage.stop());
  afterEach(() => Object.values(stage.vendors).forEach((vendor) => vendor.clear()));

  // oxlint-disable-next-line typescript/no-explicit-any
  async function detailsOf({ headers }: { headers: Headers }): Promise<any> {
    const id = headers.get('x-generation-id');
    return eventually(async () => {
      const { status, json } = await stage.service.management.get(`/generations/${id}`);
      expect(status).toBe(200);
      return json.data;
    });
  }

  it('have the error of each attempt, and the error of the last attempt as the error of the call', async () => {
    stage.vendors.openai.script({ status: 503, body: { error: { message: WORDS } } });
    stage.vendors.siliconflow.script({ status: 500, body: { error: { message: WORDS, code: 'gpu_lost' } } });
    const data = await detailsOf(await stage.chat(TWO));
    expect(data.error).toEqual({ ...FAILED, code: 'gpu_lost' });
    expect(data.attempts).toMatchObject([
      { provider_name: 'openai', status: 503, error: OVERLOADED },
      { provider_name: 'siliconflow', status: 500, error: { ...FAILED, code: 'gpu_lost' } },
    ]);
  });

  it('have the errors of failed attempts, but no error of the call, if a later attempt succeeded', async () => {
    stage.vendors.openai.script({ status: 503, body: { error: { message: WORDS } } });
    const data = await detailsOf(await stage.chat(TWO));
    expect(data).toMatchObject({ status: 200, error: null, attempts: [{ error: OVERLOADED }, { error: null }] });
  });

  it("never have the vendor's own message, which only the caller receives", async () => {
    stage.vendors.openai.script({ status: 400, body: { error: { message: WORDS, code: 'bad_tool' } } });
    const answer = await stage.chat({});
    expect(answer.json.error.message).toContain(WORDS);
    const data = await detailsOf(answer);
    expect(data.error).toEqual({
      code: 'bad_tool',
      message: expect.stringMatching(/^The provider refused the request/),
    });
    const recorded = await stage.service.sql.query('select provider_responses::text from generation_detail');
    expect(JSON.stringify(recorded)).not.toContain('words of the vendor');
  });

  it('have the reason why a stream broke off as the error of the attempt and of the call', async () => {
    stage.vendors.openai.script({ events: streamEvents(5, CHAT_USAGE), resetAfter: 3 });
    const data = await detailsOf(await stage.chat({ stream: true }));
    expect(data).toMatchObject({ status: 502, error: { code: 'provider_failed' }, attempts: [{ status: 200 }] });
    expect(data.attempts[0].error).toEqual(data.error);
  });
});

describe('the details of a failed call that is not a chat', () => {
  let vendor: ScriptedVendor;
  let service: TestService;
  beforeAll(async () => {
    ({ vendor, service } = await startVendorStage());
  });
  afterAll(() => service.stop());

  it.each([
    ['image', '/images', { model: 'openai/gpt-image-1', prompt: 'A lighthouse' }],
    ['speech', '/audio/speech', { model: 'openai/tts-1', input: 'Hello', voice: 'alloy' }],
  ])('have the error of the call and of the attempt (%s)', async (kind, path, json) => {
    vendor.script({ kind: 'status', status: 500 });
    expect((await service.standard.post(path, { json })).status).toBe(502);
    const [{ id }] = await eventually(async () => {
      const calls = (await service.management.get(`/generations?kind=${kind}`)).json.data;
      expect(calls).toHaveLength(1);
      return calls;
    });
    expect((await service.management.get(`/generations/${id}`)).json.data).toMatchObject({
      error: FAILED,
      attempts: [{ provider_name: 'OpenAI', status: 500, error: FAILED }],
    });
  });
});
