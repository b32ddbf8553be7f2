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

  it('are compressed where they are JSON of more than a packet, and else not', async () => {
    const meta = await browser.send('GET', '/console/api/v1/analytics/meta', GZIP);
    expect([meta.headers.get('content-encoding'), meta.headers.get('content-length')]).toEqual(['gzip', null]);
    expect(meta.json.data.metrics.length).toBeGreaterThan(5);
    expect(meta.headers.get('vary')).toContain('Accept-Encoding');
    const credits = await browser.send('GET', '/console/api/v1/credits', GZIP);
    expect([credits.headers.get('content-encoding'), credits.status]).toEqual([null, 200]);
  });

  it('have fewer bytes on the wire, and the same content', async () => {
    const request = (encoding: string): string =>
      `GET /console/api/v1/analytics/meta HTTP/1.1\r\nhost: a\r\ncookie: ${browser.cookie}\r\n` +
      `sec-fetch-site: same-origin\r\naccept-encoding: ${encoding}\r\nconnection: close\r\n\r\n`;
    const plain = (await rawHttp(service.origin, request('identity'), [])).text;
    const packed = (await rawHttp(service.origin, request('gzip'), [])).text;
    expect(packed.length * 2).toBeLessThan(plain.length);
  });

  it('are events one by one where they are a stream', async () => {
    const stream = await browser.send('POST', '/console/api/v1/chat/completions', { json: CHAT, ...GZIP });
    expect([stream.status, stream.headers.get('content-encoding')]).toEqual([200, null]);
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
  });

  it('are plain outside of the console, whose callers measure bytes and time', async () => {
    const response = await fetch(`${service.origin}/api/v1/analytics/meta`, {
      headers: { authorization: `Bearer ${TEST_MANAGEMENT_KEY}`, 'accept-encoding': 'gzip' },
    });
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null]);
  });
});
