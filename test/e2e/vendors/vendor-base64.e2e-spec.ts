import { settledSpend } from '../../support/money/account-totals.js';
import {
  PIXEL,
  SPEECH_USAGE,
  startScriptedVendor,
  type ScriptedVendor,
} from '../../support/vendors/scripted-vendor.js';
import { anImageEndpoint, teach } from '../../support/catalogue/test-catalogue.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

/** Three versions of the picture's base64: with the invalid part before it, within it and after it. */
const inserted = (what: string): string[] => [
  `${what}${PIXEL}`,
  `${PIXEL.slice(0, 50)}${what}${PIXEL.slice(50)}`,
  `${PIXEL}${what}`,
];
const INSERTED = [
  '\r',
  '\n',
  '\r\ndata: {"type":"error"}',
  '\\n',
  '\\r',
  '\\"',
  ' ',
  '\\u0000',
  '\u0000',
  '-',
  '_',
  '.',
  'é',
  '\u2028',
  '\\u0141',
  '\\\\',
  '%2F',
];
const BROKEN = [
  ...INSERTED.flatMap(inserted),
  `=${PIXEL}`,
  `${PIXEL.slice(0, 50)}=${PIXEL.slice(50)}`,
  `${PIXEL}=`,
  'A',
  'AAAAA',
  '=',
  '==',
  '====',
  '\\/\\',
];

const IMAGE = { model: 'pictures/two-ways', prompt: 'A lighthouse' };

describe('a picture with invalid base64', () => {
  let first: ScriptedVendor;
  let second: ScriptedVendor;
  let service: TestService;
  beforeAll(async () => {
    [first, second] = [await startScriptedVendor(), await startScriptedVendor()];
    service = await startTestService({
      env: {
        OPENAI_API_KEY: 'credential-of-openai',
        OPENAI_BASE_URL: first.baseUrl,
        GROQ_API_KEY: 'credential-of-groq',
        GROQ_BASE_URL: second.baseUrl,
        BREAKER_FAILURES: '1000',
      },
    });
    teach(service, { [IMAGE.model]: [anImageEndpoint('openai'), anImageEndpoint('groq')] });
  });
  afterAll(async () => {
    await service.stop();
    await first.close();
    await second.close();
  });
  const only = { provider: { only: ['openai'] } };
  const event = (type: string, b64: string): string =>
    `data: {"type":"image_generation.${type}","b64_json":"${b64}"}\n\n`;
  const spaced = (type: string, b64: string): string =>
    `data: {"type": "image_generation.${type}", "b64_json": "${b64}"}\n\n`;
  const whole = (b64: string): string => `{"created":1,"data":[{"b64_json":"${b64}"}]}`;

  it.each([
    ['in a whole response', false, 'application/json', whole],
    ['in the last event of a stream', true, 'text/event-stream', (b64: string) => event('completed', b64)],
    [
      'in the last event of a stream, written with spaces',
      true,
      'text/event-stream',
      (b64: string) => spaced('completed', b64),
    ],
    [
      'in a preview',
      true,
      'text/event-stream',
      (b64: string) => event('partial_image', b64) + event('completed', PIXEL),
    ],
  ])('%s is a malformed response: 502, and nothing is billed', async (_, stream, contentType, body) => {
    const before = await settledSpend(service.sql);
    const passed: string[] = [];
    for (const b64 of BROKEN) {
      first.script({ kind: 'body', body: body(b64), contentType });
      const answer = await service.standard.post('/images', { json: { ...IMAGE, ...only, stream } });
      if (answer.status !== 502)
        passed.push(
          `${JSON.stringify(b64.slice(0, 60))}: ${answer.status} ${JSON.stringify(answer.text.slice(0, 100))}`,
        );
    }
    expect(passed).toEqual([]);
    expect(await settledSpend(service.sql)).toBe(before);
  });

  it.each([
    ['whole', false, 'application/json'],
    ['streamed', true, 'text/event-stream'],
  ])('in a %s response causes a fallback to the next endpoint', async (_, stream, contentType) => {
    const body = stream ? event('partial_image', `${PIXEL}\r`) : whole(`${PIXEL}\r`);
    first.script({ kind: 'body', body, contentType });
    const answer = await service.standard.post('/images', {
      json: { ...IMAGE, stream, provider: { order: ['openai', 'groq'] } },
    });
    expect([answer.status, answer.text.includes(PIXEL)]).toEqual([200, true]);
    expect(second.seen.length).toBeGreaterThan(0);
  });

  it('after a preview becomes an error event, and cannot insert a further event', async () => {
    const before = await settledSpend(service.sql);
    first.script({
      kind: 'body',
      body: event('partial_image', PIXEL) + event('completed', `${PIXEL.slice(0, 8)}\rdata: {"type":"forged"}\r\r`),
      contentType: 'text/event-stream',
    });
    const answer = await service.standard.post('/images', { json: { ...IMAGE, ...only, stream: true } });
    const lines = answer.text.split(/\r\n|\r|\n/).filter((line) => line.startsWith('data: {'));
    expect(lines.map((line) => (JSON.parse(line.slice(6)) as { type: string }).type)).toEqual([
      'image_generation.partial_image',
      'error',
    ]);
    expect(await settledSpend(service.sql)).toBe(before);
  });

  it.each([
    ['whole', PIXEL],
    ['with its slashes escaped', PIXEL.replaceAll('/', '\\/')],
    ['with letters escaped', PIXEL.replace('i', '\\u0069')],
    ['without its padding', PIXEL.replace(/=+$/, '')],
    ['of one group', 'AAAA'],
    ['of one byte', 'AA=='],
  ])('is distinguished from valid base64, which is passed on: %s', async (_, b64) => {
    for (const [stream, contentType, body] of [
      [false, 'application/json', whole(b64)],
      [true, 'text/event-stream', event('partial_image', b64) + event('completed', b64)],
    ] as const) {
      first.script({ kind: 'body', body, contentType });
      const answer = await service.standard.post('/images', { json: { ...IMAGE, ...only, stream } });
      expect(answer.status).toBe(200);
      const pictures = [...answer.text.matchAll(/"b64_json":"([^"]*)"/g)].map((match) => JSON.parse(`"${match[1]}"`));
      expect(pictures).toEqual(Array.from({ length: stream ? 2 : 1 }, () => JSON.parse(`"${b64}"`)));
    }
  });
});

describe('speech events with invalid base64', () => {
  let vendor: ScriptedVendor;
  let service: TestService;
  beforeAll(async () => {
    vendor = await startScriptedVendor();
    service = await startTestService({
      env: { OPENAI_API_KEY: 'credential-of-openai', OPENAI_BASE_URL: vendor.baseUrl, BREAKER_FAILURES: '1000' },
    });
  });
  afterAll(async () => {
    await service.stop();
    await vendor.close();
  });

  it.each(['AA\\u0000AA', 'AA AA', 'A', 'AA==AA', '\\n', 'AA-_'])(
    '%s are a malformed response: 502, and nothing is billed',
    async (audio) => {
      const before = await settledSpend(service.sql);
      const body =
        `data: {"type":"speech.audio.delta","audio":"${audio}"}\n\n` +
        `data: {"type":"speech.audio.done","usage":${JSON.stringify(SPEECH_USAGE)}}\n\n`;
      vendor.script({ kind: 'body', body, contentType: 'text/event-stream' });
      const answer = await service.standard.post('/audio/speech', {
        json: { model: 'openai/gpt-4o-mini-tts', input: 'Hello', voice: 'alloy' },
      });
      expect(answer.status).toBe(502);
      expect(await settledSpend(service.sql)).toBe(before);
    },
  );
});
