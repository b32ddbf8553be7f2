import { AUDIO, PIXEL, startScriptedVendor, type ScriptedVendor } from '../../support/vendors/scripted-vendor.js';
import { anImageEndpoint, aSpeechEndpoint, teach } from '../../support/catalogue/test-catalogue.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';
import { IMAGE_OUTPUT_RULES } from '../../support/request-rules/image-output-rules.js';
import { IMAGE_SIZE_RULES } from '../../support/request-rules/image-size-rules.js';
import { IMAGE_SUBJECT_RULES } from '../../support/request-rules/image-subject-rules.js';
import { BARE, FEW_KNOBS, KNOBS, priced, RATIOS, type Row } from '../../support/request-rules/rule-rows.js';
import { SPEECH_RULES } from '../../support/request-rules/speech-rules.js';

/**
 * One row per rule. `says` quotes the specification's request table, line by line, or names the section of the wire
 * notes.
 */
const IMAGE_RULES: readonly Row[] = [...IMAGE_SUBJECT_RULES, ...IMAGE_OUTPUT_RULES, ...IMAGE_SIZE_RULES];

describe('every rule of the request tables', () => {
  let vendor: ScriptedVendor;
  let service: TestService;
  beforeAll(async () => {
    vendor = await startScriptedVendor();
    service = await startTestService({
      env: { OPENAI_API_KEY: 'scripted-credential', OPENAI_BASE_URL: vendor.baseUrl },
    });
    teach(service, {
      'rules/all-knobs': [anImageEndpoint('openai', { allowedPassthroughParameters: ['moderation'] })],
      'rules/ratios': [anImageEndpoint('openai', { supportedParameters: { ...KNOBS, aspect_ratio: RATIOS } })],
      'rules/few-knobs': [anImageEndpoint('openai', { supportedParameters: FEW_KNOBS })],
      'rules/few-knobs-single': [anImageEndpoint('openai', { supportedParameters: BARE })],
      'rules/nothing': [
        anImageEndpoint('openai', { supportedParameters: {}, pixelBounds: undefined, supportsStreaming: false }),
      ],
      'rules/choosy': [
        anImageEndpoint('openai', {
          supportedParameters: {
            ...KNOBS,
            input_references: { type: 'range', min: 0, max: 1 },
            output_format: { type: 'enum', values: ['png', 'jpeg'] },
            quality: { type: 'enum', values: ['low', 'high'] },
            resolution: { type: 'enum', values: ['1K', '2K'] },
          },
        }),
      ],
      'rules/opaque-formats': [
        anImageEndpoint('openai', {
          supportedParameters: { ...KNOBS, output_format: { type: 'enum', values: ['jpeg'] } },
        }),
      ],
      'rules/variants': [
        anImageEndpoint('openai', {
          pricing: [priced('low', '0.01'), priced('high', '0.2'), priced('2048x2048', '0.3')],
        }),
      ],
      'rules/tiers': [
        anImageEndpoint('openai', {
          pixelBounds: undefined,
          supportedParameters: { ...KNOBS, resolution: { type: 'enum', values: ['1K', '2K', '4K'] } },
          pricing: [priced('1K', '0.1'), priced('2K', '0.134'), priced('4K', '0.24')],
        }),
      ],
      'rules/speaker': [
        aSpeechEndpoint('openai', {
          supportedParameters: { speed: { type: 'range', min: 0.25, max: 4 } },
          allowedPassthroughParameters: ['instructions'],
        }),
      ],
      'rules/reader': [
        aSpeechEndpoint('openai', {
          voices: ['somebody'],
          supportedParameters: { response_format: { type: 'enum', values: ['mp3'] } },
        }),
      ],
    });
  });
  afterAll(async () => {
    await service.stop();
    await vendor.close();
  });

  const expectRule = async (path: string, request: object, { fields, refused, asked = {} }: Row): Promise<void> => {
    const calls = vendor.seen.length;
    const answer = await service.standard.post(path, { json: { ...request, ...fields } });
    if (refused !== undefined) {
      expect([answer.status, answer.json.error.code, answer.json.error.message]).toEqual([
        400,
        400,
        expect.stringContaining(refused),
      ]);
      expect(vendor.seen.length).toBe(calls);
      return;
    }
    expect([answer.status, vendor.seen.length]).toEqual([200, calls + 1]);
    const sent = vendor.seen.at(-1)!.json ?? {};
    expect(Object.fromEntries(Object.keys(asked).map((name) => [name, sent[name]]))).toEqual(asked);
    if (path === '/images') expect(answer.json.data[0].b64_json).toBe(PIXEL);
    else expect(Buffer.from(answer.bytes).equals(AUDIO)).toBe(true);
  };

  it.each(IMAGE_RULES.map((row) => [row.says, row] as const))('Image generation request: %s', (_, row) =>
    expectRule('/images', { model: row.model ?? 'rules/all-knobs', prompt: 'A kite' }, row),
  );

  it.each(SPEECH_RULES.map((row) => [row.says, row] as const))('Speech request: %s', (_, row) =>
    expectRule('/audio/speech', { model: row.model ?? 'rules/speaker', input: 'Hello', voice: 'alloy' }, row),
  );

  it('Image generation request: stream | When true, events on providers with native streaming', async () => {
    const answer = await service.standard.post('/images', {
      json: { model: 'rules/all-knobs', prompt: 'A kite', stream: true },
    });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    expect(answer.text.trim().split('\n').at(-1)).toBe('data: [DONE]');
  });

  it('Image generation response: at most n images, and 0 tokens if tokens have no price', async () => {
    vendor.script({
      kind: 'body',
      body: JSON.stringify({
        data: [{ b64_json: PIXEL }, { b64_json: PIXEL }, { b64_json: PIXEL }],
        usage: { input_tokens: 5, output_tokens: 6, total_tokens: 11 },
      }),
    });
    const { json } = await service.standard.post('/images', {
      json: { model: 'rules/all-knobs', prompt: 'A kite', n: 2 },
    });
    expect([json.data.length, json.usage]).toEqual([
      2,
      { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: 0.02, is_byok: false },
    ]);
  });

  it.each<[string, object, number]>([
    ['its quality', { quality: 'low' }, 0.01],
    ['another quality', { quality: 'high' }, 0.2],
    ['the most expensive quality if the vendor chooses', {}, 0.3],
    ['the most expensive quality if the request lets the vendor choose', { quality: 'auto' }, 0.3],
    ['the pixels if the catalogue prices them separately', { quality: 'low', size: '2048x2048' }, 0.3],
    ['the number of images', { quality: 'low', n: 3 }, 0.03],
  ])('Price: an image with prices for variants is billed by %s', async (_, fields, cost) => {
    expect(
      (await service.standard.post('/images', { json: { model: 'rules/variants', prompt: 'A kite', ...fields } })).json
        .usage.cost,
    ).toBe(cost);
  });

  it.each<[string, object, number]>([
    ['its tier', { resolution: '4K' }, 0.24],
    ['the tier that size names', { size: '2K' }, 0.134],
    ['1K if nothing is set', {}, 0.1],
  ])('Price: an image with prices for tiers is billed by %s', async (_, fields, cost) => {
    expect(
      (await service.standard.post('/images', { json: { model: 'rules/tiers', prompt: 'A kite', ...fields } })).json
        .usage.cost,
    ).toBe(cost);
  });

  it.each([
    ['/images', 'rules/speaker'],
    ['/images', 'no/such'],
    ['/audio/speech', 'rules/all-knobs'],
    ['/audio/speech', 'no/such'],
  ])('%s returns 404 for the model %s', async (path, model) => {
    expect(
      (await service.standard.post(path, { json: { model, prompt: 'A kite', input: 'Hello', voice: 'alloy' } })).status,
    ).toBe(404);
  });
});
