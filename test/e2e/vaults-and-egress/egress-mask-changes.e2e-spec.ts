import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { chunk, get, head, HOST, MaskStage, OTHER_HOST, response } from '../../support/secrets/egress-mask-stage.js';
import { frame, PING, TEXT } from '../../support/calls/web-socket-frames.js';

describe('the egress proxy', () => {
  let on: MaskStage;

  beforeAll(async () => {
    on = await MaskStage.start();
  }, 60_000);
  afterAll(() => on.stop());
  afterEach(() => on.reset());

  it('returns 503 and sends nothing to the host if a secret of the host cannot be opened', async () => {
    const id = await on.anIntern('damaged');
    await on.put(id, 'token', 'a value that will be damaged');
    await on.stage.sql.query(
      `update vault_secret set sealed = sealed || '\\x00'::bytea
       where vault_id = (select vault_id from intern where id = $1)`,
      [id],
    );
    const { text } = await on.ask(response(Buffer.from('anything')), {}, await on.aPass(id));
    expect(text).toMatch(/^HTTP\/1\.1 503/);
    expect(on.world.arrivals).toEqual([]);
  });

  it('closes a tunnel to a host without secrets when a secret is bound to the host', async () => {
    const id = await on.anIntern('late');
    const by = await on.aPass(id);
    const socket = connect(by.port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(
      'CONNECT late.test:443 HTTP/1.1\r\nHost: late.test:443\r\n' +
        `Proxy-Authorization: Basic ${Buffer.from(`intern:${by.token}`).toString('base64')}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('data', resolve));
    await on.put(id, 'other', 'of no account here', [HOST]);
    expect(await Promise.race([closed.then(() => 'closed'), sleep(500).then(() => 'open')])).toBe('open');
    await on.put(id, 'token', 'known to the late host', ['late.test']);
    expect(await Promise.race([closed.then(() => 'closed'), sleep(10_000).then(() => 'open')])).toBe('closed');
  }, 30_000);

  describe('during a transfer', () => {
    const switched = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    const upgrade = get('Upgrade: websocket\r\nSec-WebSocket-Key: x\r\n').replace(
      'Connection: close',
      'Connection: Upgrade',
    );
    const pings: Buffer[] = Array.from({ length: 700 }, () => frame(PING, 'p'));
    const parts: Buffer[] = Array.from({ length: 700 }, () => chunk('p'));

    it.each([
      ['a WebSocket', [switched, ...pings, frame(TEXT, '####')], upgrade],
      ['a response', [head('Transfer-Encoding: chunked'), ...parts, chunk('####'), '0\r\n\r\n'], get()],
    ])(
      'closes %s when a secret of its host is replaced, and not when a secret of another host changes',
      async (name, scripted, request) => {
        const id = await on.anIntern(name === 'a response' ? 'live-http' : 'live-ws');
        await on.put(id, 'first', 'the first value');
        const by = await on.aPass(id);
        const during = async (change: () => Promise<unknown>): Promise<string> => {
          const asked = on.ask(scripted, { request }, by);
          await sleep(300);
          await change();
          return (await asked).text;
        };
        expect(await during(() => on.put(id, 'other', 'of another host', [OTHER_HOST]))).toContain('####');
        expect(await during(() => on.me.api.delete(`/vault/interns/${id}/secrets/other`))).toContain('####');
        expect(await during(() => on.put(id, 'first', 'the second value'))).not.toContain('####');
      },
      60_000,
    );
  });
});
