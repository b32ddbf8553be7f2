import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { INSIDE_TARGETS } from '../../../test/support/secrets/inside-targets.js';
import type { Address } from '../../kernel/addresses/guarded-lookup.js';
import { GuardedReferences } from './guarded-references.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const INSIDE = [{ address: '127.0.0.1', family: 4 }];

describe('pictures by URL', () => {
  let canary: Server;
  let port: number;
  let hits: string[];
  /** Open requests to /counted: the current number, and the maximum. */
  let [open, most] = [0, 0];
  let references: GuardedReferences;
  const resolved: string[] = [];
  let answers: Record<string, Address[][]>;
  beforeAll(async () => {
    canary = createServer((request, response) => {
      const url = new URL(request.url!, 'http://canary');
      hits.push(`${request.headers.host} ${request.url}`);
      const location = url.searchParams.get('to');
      if (location)
        return void response
          .writeHead(Number(url.searchParams.get('status') ?? 302), {
            location: /[^ -~]/.test(location) ? encodeURI(location) : location,
          })
          .end();
      if (url.pathname === '/counted') {
        most = Math.max(most, ++open);
        const picture = Buffer.concat([PNG, Buffer.from([Number(url.searchParams.get('number'))])]);
        setTimeout(() => {
          open--;
          response.end(picture);
        }, 50);
        return;
      }
      if (url.pathname === '/slow') return void response.writeHead(200).write(PNG);
      if (url.pathname === '/404') return void response.writeHead(404).end(PNG);
      if (url.pathname === '/html')
        return void response.writeHead(200, { 'content-type': 'image/png' }).end('<html>'.repeat(100));
      if (url.pathname === '/large') {
        response.writeHead(200).write(PNG);
        const more = (): void => void (response.destroyed || response.write(Buffer.alloc(65_536), more));
        return more();
      }
      response.writeHead(200, { 'content-type': 'text/plain' }).end(PNG);
    });
    await new Promise<void>((listening) => canary.listen(0, '0.0.0.0', listening));
    port = (canary.address() as AddressInfo).port;
  });
  beforeEach(() => {
    hits = [];
    resolved.length = 0;
    answers = { 'friend.example': [INSIDE] };
    references = new GuardedReferences(['friend.example'], async (host) => {
      resolved.push(host);
      const queue = answers[host];
      if (!queue) throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' });
      return queue.length > 1 ? queue.shift()! : queue[0]!;
    });
  });
  afterEach(() => references.close());
  afterAll(() => {
    canary.closeAllConnections();
    return new Promise((closed) => canary.close(closed));
  });
  const fetchOne = (url: string, signal = new AbortController().signal) =>
    references.fetchAll([url], (index) => `entry ${index}`, signal);

  it('are fetched at most 16 at a time, and returned in the order of their URLs', async () => {
    const urls = Array.from({ length: 40 }, (_, number) => `http://friend.example:${port}/counted?number=${number}`);
    const pictures = await references.fetchAll(urls, (index) => `entry ${index}`, new AbortController().signal);
    expect(pictures.map(({ bytes }) => bytes.at(-1))).toEqual(urls.map((_, number) => number));
    expect(most).toBeLessThanOrEqual(16);
  });

  const refusal = { kind: 'invalid_request', message: expect.stringMatching(/^entry 0 /) };

  it(`are tested with at least 60 internal targets`, () => {
    expect(new Set(INSIDE_TARGETS).size).toBeGreaterThanOrEqual(60);
  });

  it.each(INSIDE_TARGETS)('are not fetched from %s, directly or by redirect', async (host) => {
    await expect(fetchOne(`http://${host}:${port}/secret`)).rejects.toMatchObject(refusal);
    expect(hits).toEqual([]);
    await expect(
      fetchOne(`http://friend.example:${port}/?to=${encodeURIComponent(`http://${host}:${port}/secret`)}`),
    ).rejects.toMatchObject(refusal);
    expect(hits).toHaveLength(1);
    expect(resolved.every((name) => name === 'friend.example')).toBe(true);
  });

  it.each([301, 302, 303, 307, 308])(
    'are not fetched by a redirect of %i to a name with an internal address',
    async (status) => {
      answers['inside.example'] = [INSIDE];
      const inside = encodeURIComponent(`http://inside.example:${port}/secret`);
      await expect(fetchOne(`http://friend.example:${port}/?status=${status}&to=${inside}`)).rejects.toMatchObject({
        kind: 'invalid_request',
        message: 'entry 0 resolves to an address that is not public',
      });
      expect(hits).toHaveLength(1);
    },
  );

  it.each<[string, Address[]]>([
    ['loopback', INSIDE],
    ['a private address', [{ address: '10.1.2.3', family: 4 }]],
    ['the metadata service', [{ address: '169.254.169.254', family: 4 }]],
    ['a mapped address', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['a link-local address with a zone', [{ address: 'fe80::1%eth0', family: 6 }]],
    ['one public and one private address', [{ address: '93.184.216.34', family: 4 }, ...INSIDE]],
    ['no address', []],
  ])('are not fetched if a name resolves to %s', async (_, addresses) => {
    answers['inside.example'] = [addresses];
    await expect(fetchOne(`http://inside.example:${port}/secret`)).rejects.toMatchObject({
      message: 'entry 0 resolves to an address that is not public',
    });
    expect(hits).toEqual([]);
  });

  it('are not fetched if a name changes its address later: the socket does no second lookup', async () => {
    // The first lookup returns a public address that does not respond, the second one a private address.
    answers['rebinding.example'] = [[{ address: '198.41.0.4', family: 4 }], INSIDE];
    const first = fetchOne(`http://rebinding.example:${port}/secret`, AbortSignal.timeout(300));
    await expect(first).rejects.toBeDefined();
    expect(resolved).toEqual(['rebinding.example']);
    await expect(fetchOne(`http://rebinding.example:${port}/secret`)).rejects.toMatchObject({
      message: 'entry 0 resolves to an address that is not public',
    });
    expect(hits).toEqual([]);
  });

  it.each([
    'file:///etc/passwd',
    'ftp://friend.example/x',
    'gopher://friend.example/x',
    'data:image/png;base64,AAAA',
    'javascript:1',
  ])('are not fetched from %s by a redirect', async (target) => {
    await expect(fetchOne(`http://friend.example:${port}/?to=${encodeURIComponent(target)}`)).rejects.toMatchObject({
      message: 'entry 0 is not an http(s) URL',
    });
  });

  it('are fetched from allowed hosts, also after a redirect, with the media type of their bytes', async () => {
    expect(await fetchOne(`http://friend.example:${port}/a`)).toEqual([{ bytes: PNG, mediaType: 'image/png' }]);
    expect(await fetchOne(`http://friend.example:${port}/?to=/b`)).toEqual([{ bytes: PNG, mediaType: 'image/png' }]);
  });

  it.each([
    ['/404', /returned 404/],
    ['/html', /no picture/],
    ['/large', /too large/],
    ['/?to=/%3Fto%3D/%253Fto%253D/%25253Fto%25253D/%2525253Fto%2525253D/x', /redirects too often/],
  ])('are refused: %s', async (path, message) => {
    await expect(fetchOne(`http://friend.example:${port}${path}`)).rejects.toMatchObject({
      kind: 'invalid_request',
      message: expect.stringMatching(message),
    });
  });

  it('are aborted when the caller disconnects', async () => {
    const left = new AbortController();
    const reason = new Error('left');
    const fetching = fetchOne(`http://friend.example:${port}/slow`, left.signal);
    while (hits.length === 0) await new Promise(setImmediate);
    left.abort(reason);
    await expect(fetching).rejects.toBe(reason);
  });

  it('are refused if the name does not exist', async () => {
    await expect(fetchOne('http://nobody.example/x')).rejects.toMatchObject({
      kind: 'invalid_request',
      message: 'entry 0 could not be fetched',
    });
  });
});
