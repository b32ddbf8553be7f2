import type { TextLimits } from '../../catalogue/catalogue-model.js';
import { measureChat, measureEmbeddingInput, type TextMeasure } from '../../formats/measure.js';
import { affordableOutputTokens, worstCaseOf, type WorstCase, type WorstCaseTerms } from './worst-case.js';

const PRICES = { prompt: '0.000001', completion: '0.00001', cacheWrite1h: '0.000002' };
const body = (rest: object = {}): Record<string, unknown> => ({
  model: 'm',
  messages: [{ role: 'user', content: 'x'.repeat(100) }],
  ...rest,
});
const worst = (
  rest: object = {},
  limits: TextLimits = { contextLength: 1000 },
  terms: Partial<WorstCaseTerms> = {},
): WorstCase => worstCaseOf(measureChat(body(rest)), { limits, prices: PRICES, at: 0, ...terms }) as WorstCase;

describe('the maximum output', () => {
  it.each<[string, object, TextLimits, number | undefined, number]>([
    ['max_completion_tokens', { max_completion_tokens: 50, max_tokens: 60 }, { contextLength: 1000 }, undefined, 50],
    ['max_tokens', { max_tokens: 60 }, { contextLength: 1000 }, undefined, 60],
    ['the maximum of the endpoint', {}, { contextLength: 1000, maxCompletionTokens: 400 }, undefined, 400],
    ['one token less than the context', {}, { contextLength: 1000 }, undefined, 999],
    ['less than the context', { max_tokens: 5000 }, { contextLength: 1000, maxCompletionTokens: 2000 }, undefined, 999],
    ['the same for every choice', { max_tokens: 60, n: 3 }, { contextLength: 1000 }, undefined, 180],
    ['the default, if the caller sets none', {}, { contextLength: 1000 }, 200, 200],
    ['the default, at most the endpoint maximum', {}, { contextLength: 1000, maxCompletionTokens: 100 }, 200, 100],
    ['the maximum of the caller, with any default', { max_tokens: 300 }, { contextLength: 1000 }, 200, 300],
    ['the maximum of the caller, without context', { max_tokens: 300, logprobs: true }, { contextLength: 0 }, 200, 300],
  ])('is %s', (_, rest, limits, defaultMaxOutputTokens, tokens) => {
    expect(worst(rest, limits, { defaultMaxOutputTokens }).completionTokens).toBe(tokens);
  });

  it('is forwarded only if the default was reserved', () => {
    expect(worst({}, undefined, { defaultMaxOutputTokens: 200 }).addedMaxTokens).toBe(200);
    expect(worst({ max_tokens: 60 }, undefined, { defaultMaxOutputTokens: 200 }).addedMaxTokens).toBeUndefined();
    expect(worst().addedMaxTokens).toBeUndefined();
  });

  it('is missing if neither the caller nor the catalogue has a maximum', () => {
    expect(worst({}, {})).toEqual({ unbounded: 'output' });
    expect(worst({ max_tokens: 5, messages: [{ role: 'user', content: [{ type: 'file', file: {} }] }] }, {})).toEqual({
      unbounded: 'prompt',
    });
  });
});

describe('the maximum prompt', () => {
  const wide = { contextLength: 100_000 };
  const part = (content: object): object => ({ messages: [{ role: 'user', content: [content] }] });
  const picture = part({ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(9000)}` } });
  const FRAME = 64 + 8 + 'user'.length;

  it('counts bytes, not characters', () => {
    expect(worst({}, wide).promptTokens).toBe(100 + FRAME);
    expect(worst({ messages: [{ role: 'user', content: 'ä€😀' }] }, wide).promptTokens).toBe(9 + FRAME);
    expect(worst(part({ type: 'text', text: 'ä€😀' }), wide).promptTokens).toBe(9 + FRAME);
  });

  it('counts tool definitions, schemas and calls', () => {
    const tools = [{ type: 'function', function: { name: 'find', parameters: { type: 'object' } } }];
    const printed = JSON.stringify(tools).length;
    const { promptTokens } = worst({ tools }, wide);
    expect(promptTokens).toBeGreaterThanOrEqual(100 + FRAME + 16 + printed);
    expect(promptTokens).toBeLessThan(100 + FRAME + 16 + 2 * printed);
    const calls = [{ id: 'c', type: 'function', function: { name: 'find', arguments: '{"a":1}'.repeat(50) } }];
    expect(
      worst({ messages: [{ role: 'assistant', content: null, tool_calls: calls }] }, wide).promptTokens,
    ).toBeGreaterThan(350);
  });

  it('counts a picture at the maximum of the endpoint, and never its base64', () => {
    expect(worst(picture, { ...wide, tokensPerImage: 300 }).promptTokens).toBe(300 + FRAME);
    expect(worst(picture, wide).promptTokens).toBe(100_000);
  });

  it('counts the same tokens for a picture with any size in its header', () => {
    const headerOf = (side: number): string => {
      const header = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
      const sides = Buffer.alloc(8);
      sides.writeUInt32BE(side, 0);
      sides.writeUInt32BE(side, 4);
      return `data:image/png;base64,${Buffer.concat([header, sides]).toString('base64')}`;
    };
    const tokens = [1, 4_096, 2 ** 31].map(
      (side) =>
        worst(part({ type: 'image_url', image_url: { url: headerOf(side) } }), { ...wide, tokensPerImage: 300 })
          .promptTokens,
    );
    expect(tokens).toEqual([300 + FRAME, 300 + FRAME, 300 + FRAME]);
  });

  it.each([
    ['Ogg', 'OggS'],
    ['FLAC', 'fLaC'],
    ['MP4', '\0\0\0\x18ftyp'],
    ['WebM', '\x1a\x45\xdf\xa3'],
    ['WAV', 'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x42\0'],
  ])('counts a second of audio for every 250 bytes of %s, which may contain any codec', (_, head) => {
    const bytes = Buffer.alloc(3_000);
    bytes.write(head, 'latin1');
    const audio = part({ type: 'input_audio', input_audio: { data: bytes.toString('base64'), format: 'wav' } });
    expect(worst(audio, { ...wide, tokensPerAudioSecond: 50 }).promptTokens).toBe(600 + FRAME);
  });

  it.each([
    ['an unknown container', 'abc'],
    ['MP3', '\xff\xfb'],
    ['WAV with PCM', 'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0'],
  ])('counts a second of audio for every 1,000 bytes of %s', (_, head) => {
    const bytes = Buffer.alloc(3_000);
    bytes.write(head, 'latin1');
    const audio = part({ type: 'input_audio', input_audio: { data: bytes.toString('base64'), format: 'wav' } });
    expect(worst(audio, { ...wide, tokensPerAudioSecond: 50 }).promptTokens).toBe(150 + FRAME);
  });

  it.each<[string, object]>([
    ['a file', part({ type: 'file', file: { file_id: 'f' } })],
    ['a video', part({ type: 'video_url', video_url: { url: 'https://x/v' } })],
    ['a web search', { web_search_options: {} }],
    ['a tool of the vendor', { tools: [{ type: 'code_interpreter' }] }],
  ])('is the whole context with %s', (_, rest) => {
    expect(worst(rest, wide).promptTokens).toBe(100_000);
  });

  it('is no more than the endpoint accepts, and includes the frame and the text growth of the endpoint', () => {
    expect(worst({}, { contextLength: 100 }).promptTokens).toBe(100);
    expect(worst({}, { ...wide, maxPromptTokens: 50 }).promptTokens).toBe(50);
    expect(worst({}, { ...wide, frameTokens: 700, textGrowth: 3 }).promptTokens).toBe(3 * (100 + 4) + 72 + 700);
  });

  it('of embeddings counts token ids or bytes, and the output is 0', () => {
    const bound = (input: unknown): WorstCase =>
      worstCaseOf(measureEmbeddingInput(input), { limits: {}, prices: PRICES, at: 0 }) as WorstCase;
    expect(bound([1, 2, 3])).toMatchObject({ promptTokens: 3 + 64 + 8, completionTokens: 0, price: 75_000n });
    expect(bound([[1, 2], [3]]).promptTokens).toBe(3 + 64 + 16);
    expect(bound('ä').promptTokens).toBe(2 + 64 + 8);
    expect(bound([{ content: [{ type: 'text', text: 'abc' }] }]).promptTokens).toBe(3 + 64 + 8);
  });

  it.each(['input_audio', 'input_video', 'input_file'])('is the whole context for embeddings of %s', (type) => {
    const measure = measureEmbeddingInput([{ content: [{ type, [type]: { data: 'AAAA' } }] }]);
    const terms = { prices: PRICES, at: 0 };
    expect(worstCaseOf(measure, { ...terms, limits: { contextLength: 512 } })).toMatchObject({ promptTokens: 512 });
    expect(worstCaseOf(measure, { ...terms, limits: {} })).toEqual({ unbounded: 'prompt' });
  });
});

describe('the price of the worst case', () => {
  it('uses the highest tier that can apply, and one-hour cache writes if the request writes to the cache', () => {
    const measure: TextMeasure = { ...measureChat(body({ max_tokens: 10 })), messages: 0, textBytes: 36 };
    const price = (fields: Partial<TextMeasure>, minPromptTokens = 101): bigint =>
      (
        worstCaseOf(
          { ...measure, ...fields },
          {
            limits: { contextLength: 1000 },
            prices: { ...PRICES, request: '0.5', tiers: [{ minPromptTokens, completion: '0.00002' }] },
            at: 0,
          },
        ) as WorstCase
      ).price;
    // 100 × 1,000 + 10 × 10,000 + 500,000,000
    expect(price({})).toBe(500_200_000n);
    // 100 × 1,000 + 10 × 20,000 + 500,000,000
    expect(price({}, 100)).toBe(500_300_000n);
    // 100 × 2,000 + 10 × 10,000 + 500,000,000
    expect(price({ writesCache: true })).toBe(500_300_000n);
  });

  it('considers a cache breakpoint in a message, in a tool and at the top of the request', () => {
    const control = { cache_control: { type: 'ephemeral' } };
    expect(measureChat(body()).writesCache).toBe(false);
    expect(measureChat(body(control)).writesCache).toBe(true);
    expect(measureChat(body({ tools: [{ type: 'function', ...control }] })).writesCache).toBe(true);
    const content = [{ type: 'text', text: 'a', ...control }];
    expect(measureChat(body({ messages: [{ role: 'user', content }] })).writesCache).toBe(true);
  });

  it('leaves no affordable output token if the prompt alone is too expensive', () => {
    const bound = worst({ max_tokens: 50 });
    expect(affordableOutputTokens(bound, bound.promptPrice - 1n)).toBe(0);
    expect(affordableOutputTokens(bound, bound.promptPrice + 70_000n)).toBe(7);
    expect(affordableOutputTokens(bound, 10n ** 18n)).toBe(50);
  });

  it('can be measured for bodies of 200,000 messages and for members of a wrong type', () => {
    const many = Array.from({ length: 200_000 }, () => ({ role: 'user', content: '' }));
    expect(measureChat({ messages: many }).messages).toBe(200_000);
    expect(measureChat({ messages: 'x', tools: 3, n: -1, max_tokens: 1.5, modalities: 'audio' })).toMatchObject({
      messages: 0,
      tools: 0,
      choices: 1,
    });
  });
});
