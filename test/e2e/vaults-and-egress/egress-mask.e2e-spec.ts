import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Pass } from '../../support/secrets/egress-client.js';
import {
  bodyOf,
  chunk,
  get,
  head,
  HOST,
  MaskStage,
  response,
  STARS,
  TOKEN,
} from '../../support/secrets/egress-mask-stage.js';
import { revealsAny } from '../../support/secrets/secret-readings.js';
import { VALUES, WRITINGS } from '../../support/secrets/secret-writings.js';

describe('a secret in the response of a host to which the secret is bound', () => {
  let on: MaskStage;

  beforeAll(async () => {
    on = await MaskStage.start();
  }, 60_000);
  afterAll(() => on.stop());
  afterEach(() => on.reset());

  describe('in the body', () => {
    let many: Pass;
    beforeAll(async () => {
      const id = await on.anIntern('many');
      for (const [at, value] of VALUES.entries()) await on.put(id, `value_${at}`, value);
      many = await on.aPass(id);
    });

    it.each(WRITINGS.map((writing) => [writing.name, writing] as const))('is masked %s', async (_, { write }) => {
      // The unit tests of the mask cover the other values.
      for (const value of VALUES.slice(0, 5)) {
        const written = write(value);
        if (written === undefined) continue;
        const body = Buffer.concat([Buffer.from('{"before":"'), written, Buffer.from('","after":1}')]);
        const { bytes } = await on.ask(response(body), {}, many);
        const got = bodyOf(bytes);
        expect([got.length, got.toString('latin1', 0, 11), got.subarray(-12).toString('latin1')]).toEqual([
          body.length,
          '{"before":"',
          '","after":1}',
        ]);
        expect([value, revealsAny(got, value)]).toEqual([value, false]);
      }
    });
  });

  describe('outside the body', () => {
    it.each<[string, string[]]>([
      ['the value of a header', [`X-Echo: Bearer ${TOKEN}`]],
      [
        'the value of a header, in capitals of hexadecimal',
        [`X-Echo: ${Buffer.from(TOKEN).toString('hex').toUpperCase()}`],
      ],
      [
        'the value of a header, as basic credentials',
        [`X-Echo: Basic ${Buffer.from(`user:${TOKEN}`).toString('base64')}`],
      ],
      ['a cookie', [`Set-Cookie: a=1; Path=/`, `Set-Cookie: session=${TOKEN}; HttpOnly`]],
      ['a redirect', [`Location: https://elsewhere.test/?token=${encodeURIComponent(TOKEN)}`]],
      ['the name of a header', [`${TOKEN}: x`]],
      ['the name of a header, with more around it', [`X-${TOKEN}-Seen: x`]],
      ['the name of a header, in hexadecimal', [`X-${Buffer.from(TOKEN).toString('hex')}: x`]],
      ['the name of a header, in base64', [`X-${Buffer.from(TOKEN).toString('base64url')}: x`]],
    ])('is masked in %s', async (_, lines) => {
      const { bytes } = await on.ask([head(...lines, 'Content-Length: 2'), 'ok']);
      expect(bytes.toString('latin1')).toMatch(/^HTTP\/1\.1 200 [\s\S]*\*{20}[\s\S]*ok$/);
      expect(revealsAny(bytes, TOKEN)).toBe(false);
      // Header names arrive in lower case.
      for (const form of [TOKEN, Buffer.from(TOKEN).toString('base64'), Buffer.from(TOKEN).toString('base64url')])
        expect(bytes.toString('latin1').toLowerCase()).not.toContain(form.toLowerCase());
    });

    it('is masked even if it equals the length of the body', async () => {
      const id = await on.anIntern('digits');
      await on.put(id, 'token', '100003');
      const { text } = await on.ask(
        [head('X-Echo: 100003', 'Content-Length: 100003'), 'y'.repeat(100_003)],
        {},
        await on.aPass(id),
      );
      expect(text).toMatch(/^HTTP\/1\.1 200 [^]*x-echo: \*{6}\r\n/);
      expect(text.slice(0, text.indexOf('\r\n\r\n'))).not.toContain('100003');
      expect(bodyOf(Buffer.from(text)).toString()).toBe('y'.repeat(100_003));
    });

    it('is masked in the name of a header over HTTP/2', async () => {
      const { text } = await on.ask([head(`${TOKEN}: x`, `X-Echo: ${TOKEN}`, 'Content-Length: 2'), 'ok'], {
        h2: { ':method': 'GET', ':path': '/', ':authority': HOST },
      });
      expect(text).toMatch(/^HTTP\/2 200[\s\S]*"x-echo":"\*+"/);
      expect(text.toLowerCase()).not.toContain(TOKEN);
    });

    it('is not passed on in a status text, a trailer, the extension of a chunk or an early response', async () => {
      const early = `HTTP/1.1 103 Early Hints\r\nLink: <${TOKEN}>\r\n\r\n`;
      const { bytes } = await on.ask([
        early,
        `HTTP/1.1 200 ${TOKEN}\r\nConnection: close\r\nTrailer: X-Late\r\nTransfer-Encoding: chunked\r\n\r\n` +
          `2;x=${TOKEN}\r\nok\r\n0\r\nX-Late: ${TOKEN}\r\n\r\n`,
      ]);
      expect(bytes.toString('latin1')).toMatch(/^HTTP\/1\.1 200 [\s\S]*ok/);
      expect(revealsAny(bytes, TOKEN)).toBe(false);
    });
  });

  describe('without TLS', () => {
    it('is masked in a plain request through the proxy', async () => {
      on.world.scripted = [head(`X-Echo: ${TOKEN}`, `Content-Length: ${TOKEN.length}`), TOKEN];
      const headers = {
        'proxy-authorization': `Basic ${Buffer.from(`intern:${on.pass.token}`).toString('base64')}`,
        host: HOST,
        range: 'bytes=0-2',
      };
      const text = await new Promise<string>((resolve, reject) => {
        httpRequest({ host: '127.0.0.1', port: on.pass.port, path: `http://${HOST}/`, headers }, (answer) => {
          let body = `${JSON.stringify(answer.headers)}\n`;
          answer
            .setEncoding('latin1')
            .on('data', (part: string) => (body += part))
            .on('end', () => resolve(body));
        })
          .on('error', reject)
          .end();
      });
      expect(text).toContain(`"x-echo":"${STARS}"`);
      expect(text.endsWith(`\n${STARS}`)).toBe(true);
      expect(on.world.arrivals.at(-1)!.text.toLowerCase()).not.toContain('range');
    });

    it('is masked in a tunnel to port 80, which passes on only requests to the host', async () => {
      const { bytes } = await on.ask(response(Buffer.from(`my token is ${TOKEN}`)), {
        connect: `${HOST}:80`,
        bare: true,
      });
      expect(bytes.toString('latin1')).toContain(`my token is `);
      expect(revealsAny(bytes, TOKEN)).toBe(false);
      expect(
        (
          await on.ask(undefined, {
            connect: `${HOST}:80`,
            bare: true,
            request: get().replace('$HOST', 'elsewhere.test'),
          })
        ).text,
      ).toMatch(/^HTTP\/1\.1 421/);
      expect(
        (await on.ask(undefined, { connect: `${HOST}:80`, bare: true, request: 'SSH-2.0-x\r\n\r\n' })).text,
      ).toMatch(/^HTTP\/1\.1 400/);
    });
  });

  describe('is not sent in parts or compressed:', () => {
    it('headers that request parts or compression are removed, and other headers are passed on', async () => {
      const asked = get(
        'Range: bytes=3-5\r\nRequest-Range: bytes=3-5\r\nX-Ms-Range: bytes=3-5\r\nA-IM: range\r\n' +
          'If-Range: "x"\r\nAccept-Encoding: gzip, br\r\nAccept: text/plain\r\n',
      );
      const { text } = await on.ask(undefined, { request: asked });
      expect(text).toMatch(/^HTTP\/1\.1 200/);
      const arrived = on.world.arrivals.at(-1)!.text.toLowerCase();
      expect(arrived).not.toMatch(/range|gzip|bytes=3-5|a-im/);
      expect(arrived).toContain('accept\ntext/plain');
    });

    it.each([
      ['gzip', ['Content-Encoding: gzip', 'Content-Length: 60'], gzipSync(TOKEN)],
      ['gzip, in capitals', ['Content-Encoding: GZIP', 'Content-Length: 60'], gzipSync(TOKEN)],
      ['an unknown coding', ['Content-Encoding: rot13', `Content-Length: ${TOKEN.length}`], Buffer.from(TOKEN)],
    ])('a response that is nevertheless compressed by %s is not passed on', async (_, lines, body) => {
      expect((await on.ask([head(...lines), body])).text).toMatch(/^HTTP\/1\.1 502/);
    });

    it.each([
      ['a part', 'HTTP/1.1 206 Partial Content', `Content-Range: bytes 0-2/${TOKEN.length}`],
      ['the difference from an earlier response', 'HTTP/1.1 226 IM Used', 'IM: vcdiff'],
    ])('a response that is nevertheless %s is not passed on', async (_, status, line) => {
      const { text } = await on.ask([
        `${status}\r\nConnection: close\r\nContent-Length: 3\r\n${line}\r\n\r\n`,
        TOKEN.slice(0, 3),
      ]);
      expect(text).toMatch(/^HTTP\/1\.1 502/);
    });

    it('a response without a body is passed on, even if its head names a compression', async () => {
      expect(
        (await on.ask(['HTTP/1.1 304 Not Modified\r\nConnection: close\r\nContent-Encoding: gzip\r\n\r\n'])).text,
      ).toMatch(/^HTTP\/1\.1 304/);
      expect(
        (
          await on.ask([head('Content-Encoding: gzip', 'Content-Length: 60')], {
            request: get().replace('GET', 'HEAD'),
          })
        ).text,
      ).toMatch(/^HTTP\/1\.1 200/);
    });
  });

  it('is tested in at least 56 named encodings', () => {
    expect(WRITINGS.length).toBeGreaterThanOrEqual(56);
    expect(new Set(WRITINGS.map(({ name }) => name)).size).toBe(WRITINGS.length);
  });

  it('is masked in a stream of events, and an event is passed on before the host sends the next one', async () => {
    const first = 'data: {"n":1}\n\n';
    const arrived = Promise.withResolvers<void>();
    const next = arrived.promise.then(() => chunk(`data: ${TOKEN}\n\n`));
    let text = '';
    const onData = (piece: Buffer): void => {
      text += piece.toString();
      if (text.includes(first)) arrived.resolve();
    };
    const pieces = [head('Content-Type: text/event-stream', 'Transfer-Encoding: chunked'), chunk(first), next];
    const { bytes } = await on.ask([...pieces, '0\r\n\r\n'], { onData });
    expect(bodyOf(bytes).toString()).toBe(`${first}data: ${STARS}\n\n`);
  });
});
