import {
  OWN_KEY,
  OWN_PRICES,
  startOwnProviderStage,
  type OwnProviderStage,
} from '../../support/catalogue/own-provider-stage.js';
import { eventually } from '../../support/eventually.js';
import { aWav } from '../../support/files/recordings.js';
import type { TestService } from '../../support/services/test-service.js';
import { SPOKEN_SECONDS } from '../../support/vendors/other-vendor-formats.js';
import { CHAT_USAGE } from '../../support/vendors/scripted-chat-vendor.js';
import { startScriptedVendor, type ScriptedVendor } from '../../support/vendors/scripted-vendor.js';

const NO_CONTEXT = { context_length: undefined, max_completion_tokens: undefined };
const RECORDING = { data: aWav(2).toString('base64'), format: 'wav' };
const INPUT = 'Good morning';

/** By capability: the model, a call, the vendor's request, and the price for the caller. */
const CAPABILITIES = {
  embeddings: {
    setup: { max_completion_tokens: undefined, pricing: { prompt: '0.000001' } },
    path: '/embeddings',
    body: { input: INPUT },
    sent: { model: 'upstream-embeddings', input: INPUT },
    cost: CHAT_USAGE.prompt_tokens * 0.000001,
  },
  image: {
    setup: { ...NO_CONTEXT, pricing: { image: '0.02' } },
    path: '/images/generations',
    body: { prompt: 'A boat', n: 2, size: '640x480' },
    sent: { model: 'upstream-image', prompt: 'A boat', n: 2, size: '640x480', response_format: 'b64_json' },
    cost: 0.04,
  },
  speech: {
    setup: { ...NO_CONTEXT, pricing: { input_character: '0.0001' } },
    path: '/audio/speech',
    body: { input: INPUT, voice: 'any', response_format: 'mp3' },
    sent: { model: 'upstream-speech', input: INPUT, voice: 'any', response_format: 'mp3' },
    cost: INPUT.length * 0.0001,
  },
  transcription: {
    setup: {
      ...NO_CONTEXT,
      pricing: { second: '0.001' },
      supported_parameters: ['response_format', 'language'],
    },
    path: '/audio/transcriptions',
    body: { input_audio: RECORDING },
    sent: undefined,
    cost: Math.round(SPOKEN_SECONDS * 1_000_000) / 1_000_000_000,
  },
} as const;
type Name = keyof typeof CAPABILITIES;

let stage: OwnProviderStage;
let service: TestService;
let vendor: ScriptedVendor;
beforeAll(async () => {
  vendor = await startScriptedVendor();
  stage = await startOwnProviderStage();
  ({ service } = stage);
  await stage.add('makes', { base_url: vendor.baseUrl });
});
afterAll(async () => {
  await stage.stop();
  await vendor.close();
});

const put = (name: Name, fields: object = {}) =>
  stage.put(`makes/models/${name}`, {
    capability: name,
    upstream: `upstream-${name}`,
    ...CAPABILITIES[name].setup,
    ...fields,
  });
const call = (name: Name, at = service) =>
  at.standard.post(CAPABILITIES[name].path, { json: { model: `makes/${name}`, ...CAPABILITIES[name].body } });

describe('models of an own provider', () => {
  it.each(Object.keys(CAPABILITIES) as Name[])('may have the capability %s, at their own price', async (name) => {
    const { pricing } = CAPABILITIES[name].setup;
    const set = await put(name);
    expect([set.status, set.json.data]).toEqual([200, expect.objectContaining({ capability: name, pricing })]);
    await eventually(async () => expect((await call(name, stage.replica)).status).toBe(200));
    vendor.seen.length = 0;
    const answer = await call(name);
    expect(answer.status).toBe(200);
    const [{ path, headers, json }] = vendor.seen as [(typeof vendor.seen)[number]];
    expect([path, headers.authorization]).toEqual([`/v1${CAPABILITIES[name].path}`, `Bearer ${OWN_KEY}`]);
    if (CAPABILITIES[name].sent) expect(json).toMatchObject(CAPABILITIES[name].sent);
    await eventually(async () => {
      const id = answer.headers.get('x-generation-id');
      const { json: record } = await service.standard.get(`/generation?id=${id}`);
      expect(record.data.total_cost).toBeCloseTo(CAPABILITIES[name].cost, 9);
    });
  });

  it.each(Object.keys(CAPABILITIES) as Name[])('of the capability %s are not served without a price', async (name) => {
    await put(name, { pricing: null });
    await eventually(async () => expect((await call(name)).status).toBe(404));
    vendor.script({ kind: 'body', body: JSON.stringify({ data: [{ id: `upstream-${name}` }] }) });
    const { data } = (await service.management.get('/providers/credentials?provider=makes')).json;
    const { json } = await service.management.post(`/providers/credentials/${data[0].id}/discover`);
    expect(json.missing).toEqual([`upstream-${name}`]);
    await put(name);
  });

  it('are found by discovery with any capability', async () => {
    await put('speech', { upstream: 'speaker-1' });
    vendor.script({ kind: 'body', body: JSON.stringify({ data: [{ id: 'speaker-1' }] }) });
    const { data } = (await service.management.get('/providers/credentials?provider=makes')).json;
    const { json } = await service.management.post(`/providers/credentials/${data[0].id}/discover`);
    expect(json.models).toEqual([{ upstream: 'speaker-1', id: 'makes/speech', known: true, priced: true }]);
  });

  it.each([
    ['embeddings', { context_length: undefined }, 'context_length is required'],
    ['embeddings', { pricing: OWN_PRICES }, 'may not have completion'],
    ['embeddings', { max_completion_tokens: 10 }, 'max_completion_tokens'],
    ['image', { pricing: { prompt: '0' } }, 'must have image'],
    ['image', { context_length: 8_000 }, 'context_length is not'],
    ['image', { supported_parameters: ['tools'] }, 'may contain only n, size'],
    ['speech', { pricing: { input_character: '2' } }, 'input_character'],
    ['transcription', { pricing: {} }, 'must have second'],
  ] as const)('of the capability %s with %j are refused: %s', async (name, fields, message) => {
    const { status, json } = await put(name, fields);
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('of chat are refused if a price or the context length is missing', async () => {
    for (const fields of [
      { pricing: { prompt: '0' } },
      { pricing: { completion: '0' } },
      { context_length: undefined },
    ])
      expect((await stage.put('makes/models/text', fields)).status).toBe(400);
  });

  it('can only be of chat if the format supports nothing else', async () => {
    await stage.add('talks', { format: 'messages' }, null);
    const { status, json } = await stage.put('talks/models/one', {
      capability: 'speech',
      ...CAPABILITIES.speech.setup,
    });
    expect([status, json.error.message]).toEqual([400, 'A provider of the format messages can have only chat models']);
  });
});
