import { gzipSync } from 'node:zlib';
import { eventsOf, openAgentStage, toolResults, type AgentStage } from '../../test/support/interns/agent-stage.js';
import { eventually } from '../../test/support/eventually.js';

const URL = 'https://api.example.com/page';
const head = (...headers: string[]): string =>
  `HTTP/1.1 200 OK\r\n${headers.map((each) => `${each}\r\n`).join('')}\r\n`;

describe('requests of an agent', () => {
  let stage: AgentStage;
  beforeAll(async () => {
    stage = await openAgentStage();
    await stage.boot();
  });
  afterAll(() => stage.close());
  beforeEach(() => {
    stage.world.arrivals.splice(0);
    stage.world.scripted = undefined;
  });
  async function request(args: object): Promise<string> {
    stage.model.script({ calls: [{ name: 'http_request', arguments: { url: URL, ...args } }] });
    expect((await stage.turn('Go')).at(-1)!.type).toBe('end');
    return toolResults(stage.model.calls.at(-1)!.json).at(-1)!;
  }

  it('arrive with method, headers and body, and placeholders unchanged', async () => {
    const headers = { Authorization: 'Bearer __vault__api_token__', Host: 'evil.test', 'Content-Length': '1' };
    const result = await request({
      method: 'put',
      url: `${URL}?a=__vault__api_token__#hash`,
      headers,
      body: '{"é":1}',
    });
    expect(result).toMatch(/^HTTP 200\n/);
    const [{ text, host }] = stage.world.arrivals as [(typeof stage.world.arrivals)[0]];
    expect(text).toMatch(/^PUT \/page\?a=__vault__api_token__\n/);
    expect(text).toContain('authorization\nBearer __vault__api_token__');
    expect(text).toMatch(/\{"é":1\}$/);
    expect(host).toBe('api.example.com');
  });

  it('do not follow redirects', async () => {
    const result = await request({ url: 'https://api.example.com/redirect' });
    expect(result).toMatch(/^HTTP 302\n[^]*location: https:\/\/elsewhere.test\/landed/);
    expect(stage.world.arrivals).toHaveLength(1);
  });

  it('truncate a long response, also a response that is long only after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'x'));
    for (const scripted of [
      [head('content-length: 10000000'), ...Array.from({ length: 30 }, () => 'x'.repeat(10_000))],
      [head('content-encoding: gzip', `content-length: ${bomb.length}`), bomb],
    ]) {
      stage.world.scripted = scripted;
      const result = await request({});
      expect(result.length).toBeLessThan(70_000);
      expect(result).toMatch(/x{65536}\n\[cut after 65536 bytes\]$/);
    }
  }, 60_000);

  it.each([
    ['a body that is cut off', [head('content-length: 100'), 'half']],
    ['a response that is not HTTP', ['hello\r\n\r\n']],
    ['a connection that is closed at once', []],
    ['a damaged compression', [head('content-encoding: gzip', 'content-length: 4'), 'xxxx']],
    ['headers without end', Array.from({ length: 40 }, () => `x: ${'y'.repeat(1_000)}\r\n`)],
  ])('report %s to the model, as an unknown outcome if the request has an effect', async (_, scripted) => {
    stage.world.scripted = scripted;
    expect(await request({})).toMatch(/^Error: The request failed: /);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect(await request({ method })).toMatch(/^Unknown outcome: The request failed: /);
    expect(await request({ method: 'HEAD' })).not.toContain('Unknown outcome');
  });

  it('report a tunnel that the proxy refuses as a request that was not sent', async () => {
    stage.model.refuses = () => true;
    expect(await request({ method: 'POST' })).toMatch(/^Error: The request was not sent: /);
    stage.model.refuses = () => false;
    expect(stage.world.arrivals).toEqual([]);
  });

  it('refuse headers that are not valid, and URLs with credentials', async () => {
    for (const args of [
      { headers: { 'x y': 'z' } },
      { headers: { x: 'a\r\nb: c' } },
      { headers: { x: 1 } },
      { headers: [] },
      { url: 'https://user:pass@api.example.com/' },
      { url: 'ftp://api.example.com/' },
      { url: 'nonsense' },
      { method: 'CONNECT' },
    ])
      expect([args, await request(args)]).toEqual([args, expect.stringMatching(/^Error: /)]);
    expect(stage.world.arrivals).toEqual([]);
  });

  it('end with the turn, and an effect that had started is reported as an unknown outcome', async () => {
    stage.world.scripted = [head('content-length: 10'), ...Array.from({ length: 5_000 }, () => '')];
    stage.model.script({ calls: [{ name: 'http_request', arguments: { url: URL, method: 'POST' } }] });
    const turn = stage.runtime().startTurn(stage.request('Go', { sessionId: 'cancelled' }));
    await eventually(async () => expect(stage.world.arrivals).toHaveLength(1));
    turn.cancel();
    expect((await eventsOf(turn)).at(-1)).toMatchObject({ reason: 'cancelled' });
    await stage.turn('What happened?', { sessionId: 'cancelled' });
    expect(toolResults(stage.model.calls.at(-1)!.json)).toEqual([expect.stringMatching(/^Unknown outcome/)]);
    expect(stage.world.arrivals).toHaveLength(1);
  });
});
