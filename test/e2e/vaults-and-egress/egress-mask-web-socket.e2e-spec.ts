import { get, MaskStage, STARS, TOKEN } from '../../support/secrets/egress-mask-stage.js';
import { revealsAny } from '../../support/secrets/secret-readings.js';
import {
  BINARY,
  CLOSE,
  CONTINUATION,
  frame,
  framesOf,
  messagesOf,
  PING,
  TEXT,
  type Frame,
} from '../../support/calls/web-socket-frames.js';

describe('a secret that a host sends over a WebSocket', () => {
  let on: MaskStage;

  beforeAll(async () => {
    on = await MaskStage.start();
  }, 60_000);
  afterAll(() => on.stop());
  afterEach(() => on.reset());

  const switched = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
  const upgrade = get(
    'Upgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n' +
      'Sec-WebSocket-Extensions: permessage-deflate\r\n',
  ).replace('Connection: close', 'Connection: Upgrade');
  async function framesAfter(
    pieces: readonly (string | Buffer)[],
    headers = '',
  ): Promise<{ head: string; frames: Frame[]; bytes: Buffer }> {
    const { bytes } = await on.ask([`${switched}${headers}\r\n`, ...pieces], { request: upgrade });
    const end = bytes.indexOf('\r\n\r\n') + 4;
    return { head: bytes.toString('latin1', 0, end), frames: framesOf(bytes.subarray(end)), bytes };
  }
  const payloads = (frames: readonly Frame[]): string[] =>
    messagesOf(frames).map(({ payload }) => payload.toString('latin1'));
  const [half, rest] = [TOKEN.slice(0, 15), TOKEN.slice(15)];
  const long = Buffer.from(`${'x'.repeat(65_520)}${TOKEN}${'y'.repeat(70_000)}`);

  it.each<[string, (string | Buffer)[], string[]]>([
    ['a text', [frame(TEXT, `it is ${TOKEN}.`)], [`it is ${STARS}.`]],
    ['bytes', [frame(BINARY, `it is ${TOKEN}.`)], [`it is ${STARS}.`]],
    ['two fragments', [frame(TEXT, `it is ${half}`, false), frame(CONTINUATION, `${rest}.`)], [`it is ${STARS}.`]],
    [
      'fragments of one byte each',
      [...TOKEN].map((char, at) => frame(at === 0 ? TEXT : CONTINUATION, char, at === TOKEN.length - 1)),
      [STARS],
    ],
    [
      'two fragments with a ping between them',
      [frame(TEXT, half, false), frame(PING, 'p'), frame(CONTINUATION, rest)],
      [STARS],
    ],
    ['a frame that comes in two packets', [frame(TEXT, TOKEN).subarray(0, 9), frame(TEXT, TOKEN).subarray(9)], [STARS]],
    [
      'a frame with a head that comes byte by byte',
      [...frame(TEXT, TOKEN)].map((byte) => Buffer.from([byte])),
      [STARS],
    ],
    ['two messages', [frame(TEXT, half), frame(TEXT, rest)], ['*'.repeat(half.length), '*'.repeat(rest.length)]],
    [
      'two messages of bytes and text',
      [frame(BINARY, `a ${half}`), frame(TEXT, `${rest} b`)],
      [`a ${'*'.repeat(half.length)}`, `${'*'.repeat(rest.length)} b`],
    ],
    ['a long message', [frame(BINARY, long)], [`${'x'.repeat(65_520)}${STARS}${'y'.repeat(70_000)}`]],
    [
      'a long message, in packets',
      Array.from({ length: 20 }, (_, at) => frame(BINARY, long).subarray(at * 7_000, (at + 1) * 7_000)),
      [`${'x'.repeat(65_520)}${STARS}${'y'.repeat(70_000)}`],
    ],
    [
      'JSON',
      [frame(TEXT, JSON.stringify({ t: TOKEN }).replace('s', '\\u0073'))],
      [`{"t":"${'*'.repeat(TOKEN.length + 5)}"}`],
    ],
    ['empty messages between others', [frame(TEXT, ''), frame(TEXT, TOKEN), frame(TEXT, '')], ['', STARS, '']],
  ])('is masked in %s', async (_, pieces, wanted) => {
    const { frames, bytes } = await framesAfter([...pieces, frame(CLOSE, '')]);
    expect(payloads(frames)).toEqual(wanted);
    expect(revealsAny(bytes, TOKEN)).toBe(false);
    expect(frames.at(-1)!.opcode).toBe(CLOSE);
  });

  it('is masked in the reason of a close and in a ping', async () => {
    const { frames, bytes } = await framesAfter([
      frame(PING, TOKEN),
      frame(CLOSE, Buffer.concat([Buffer.from([3, 232]), Buffer.from(TOKEN)])),
    ]);
    expect(frames.map(({ opcode, payload }) => [opcode, payload.toString('latin1')])).toEqual([
      [PING, STARS],
      [CLOSE, `\x03\xe8${STARS}`],
    ]);
    expect(revealsAny(bytes, TOKEN)).toBe(false);
  });

  it('is masked in the head that switches protocols; extensions are neither offered nor accepted', async () => {
    const { head: got, frames } = await framesAfter(
      [frame(TEXT, 'hi')],
      `X-Echo: ${TOKEN}\r\n${TOKEN}: x\r\nSec-WebSocket-Extensions: permessage-deflate\r\n`,
    );
    expect(got).toMatch(/^HTTP\/1\.1 101 [\s\S]*x-echo: \*+\r\n/);
    expect(got.toLowerCase()).not.toMatch(/sk-|extensions/);
    expect(payloads(frames)).toEqual(['hi']);
    expect(on.world.arrivals.at(-1)!.text.toLowerCase()).not.toMatch(/extensions|deflate/);
  });

  it.each([
    ['of an extension', Buffer.concat([Buffer.from([0xc1, TOKEN.length]), Buffer.from(TOKEN)])],
    [
      'that are masked',
      Buffer.concat([
        Buffer.from([0x81, 0x80 | TOKEN.length, 1, 2, 3, 4]),
        Buffer.from([...Buffer.from(TOKEN)].map((byte, at) => byte ^ ((at % 4) + 1))),
      ]),
    ],
    ['of an unknown kind', frame(3, TOKEN)],
    ['that continue no message', frame(CONTINUATION, TOKEN)],
    [
      'without content, thousands of them, after a possible beginning of a secret',
      Buffer.concat([frame(TEXT, TOKEN.slice(0, 20)), ...Array.from({ length: 10_050 }, () => frame(TEXT, ''))]),
    ],
    ['that are fragmented control frames', frame(PING, TOKEN, false)],
  ])('does not arrive if the host sends frames %s, after which the proxy ends the connection', async (_, bad) => {
    const { frames } = await framesAfter([frame(TEXT, 'hi'), bad, frame(TEXT, 'more')]);
    expect(payloads(frames)).toEqual(['hi']);
  });

  it('does not delay a message that ends with the start of a secret: each message arrives in one frame', async () => {
    const { frames } = await framesAfter([
      frame(TEXT, `starts with ${TOKEN.slice(0, 5)}`),
      frame(TEXT, '{"n":1}'),
      frame(BINARY, 'x'.repeat(16_384)),
    ]);
    expect(frames.map(({ isFinal, opcode, payload }) => [isFinal, opcode, payload.length])).toEqual([
      [true, TEXT, 17],
      [true, TEXT, 7],
      [true, BINARY, 16_384],
    ]);
  });

  it('does not affect WebSocket extensions if the secret is too short to be masked', async () => {
    const internId = await on.anIntern('short-secret');
    await on.put(internId, 'pin', '12345');
    const accepted = 'Sec-WebSocket-Extensions: permessage-deflate\r\n';
    const how = { request: upgrade };
    const { bytes } = await on.ask([`${switched}${accepted}\r\n`, frame(TEXT, 'hi')], how, await on.aPass(internId));
    const extensions = /sec-websocket-extensions:?\s+permessage-deflate/i;
    expect(on.world.arrivals.at(-1)!.text).toMatch(extensions);
    expect(bytes.toString('latin1')).toMatch(extensions);
  });
});
