import { recordCalls } from '../../support/calls/recorded-calls.js';
import { eventually } from '../../support/eventually.js';
import { rawHttp } from '../../support/hostile/raw-http.js';
import { signedIn, type ConsoleBrowser } from '../../support/console/console-browser.js';
import { startTestService, TEST_MANAGEMENT_KEY, type TestService } from '../../support/services/test-service.js';

const GZIP = { headers: { 'accept-encoding': 'gzip' } };
const CHAT = { model: 'builtin/eliza', messages: [{ role: 'user', content: 'I am sad' }], stream: true };

describe('responses of the API to the console', () => {
  let service: TestService;
  let browser: ConsoleBrowser;
  beforeAll(async () => {
    service = await startTestService({ env: { RATE_LIMIT_SIGN_IN: 'off' } });
    browser = await signedIn(service);
  }, 60_000);
  afterAll(() => service.stop());

  it('are compressed if they are long JSON, and not compressed if they are short', async () => {
    const meta = await browser.send('GET', '/console/api/v1/analytics/meta', GZIP);
    expect([meta.headers.get('content-encoding'), meta.headers.get('content-length')]).toEqual(['gzip', null]);
    expect(meta.json.data.metrics.length).toBeGreaterThan(5);
    expect(meta.headers.get('vary')).toContain('Accept-Encoding');
    const credits = await browser.send('GET', '/console/api/v1/credits', GZIP);
    expect([credits.headers.get('content-encoding'), credits.status]).toEqual([null, 200]);
  });

  it('have less than half as many bytes if they are compressed', async () => {
    const request = (encoding: string): string =>
      `GET /console/api/v1/analytics/meta HTTP/1.1\r\nhost: a\r\ncookie: ${browser.cookie}\r\n` +
      `sec-fetch-site: same-origin\r\naccept-encoding: ${encoding}\r\nconnection: close\r\n\r\n`;
    const plain = (await rawHttp(service.origin, request('identity'), [])).text;
    const packed = (await rawHttp(service.origin, request('gzip'), [])).text;
    expect(packed.length * 2).toBeLessThan(plain.length);
  });

  it('are complete if they are long', async () => {
    const minutes = Array.from({ length: 1_400 }, (_, minute) => new Date(Date.now() - minute * 60_000));
    const random = (): number => Math.floor(Math.random() * 1e12);
    await recordCalls(
      service.sql,
      minutes.map((created_at) => ({ created_at, tokens_prompt: random(), cost: BigInt(random()) })),
    );
    const start = new Date(Date.now() - 86_400_000).toISOString();
    const json = {
      metrics: ['tokens_prompt', 'total_usage'],
      granularity: 'minute',
      time_range: { start, end: new Date().toISOString() },
      limit: 100_000,
    };
    await eventually(async () => {
      const answer = await browser.send('POST', '/console/api/v1/analytics/query', { json, ...GZIP });
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'gzip']);
      expect(answer.json.data.data.length).toBeGreaterThanOrEqual(minutes.length - 2);
    }, 20_000);
  });

  it('arrive event by event if they are a stream', async () => {
    const stream = await browser.send('POST', '/console/api/v1/chat/completions', { json: CHAT, ...GZIP });
    expect([stream.status, stream.headers.get('content-encoding')]).toEqual([200, null]);
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
  });

  it('are not compressed outside the console, because callers measure bytes and time', async () => {
    const response = await fetch(`${service.origin}/api/v1/analytics/meta`, {
      headers: { authorization: `Bearer ${TEST_MANAGEMENT_KEY}`, 'accept-encoding': 'gzip' },
    });
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null]);
  });
});
