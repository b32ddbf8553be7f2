import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VendorFetch } from './vendor-fetch.js';

describe('a call through the package of a vendor', () => {
  const seen: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = [];
  const vendor = createServer(({ url, headers }, response) => {
    seen.push({ url: url!, headers });
    const location = new URL(url!, 'http://vendor').searchParams.get('to');
    if (location) response.writeHead(302, { location }).end();
    else response.end('"done"');
  });
  const fetches = new VendorFetch(5_000);
  let origin: string;

  beforeAll(async () => {
    await once(vendor.listen(0, '127.0.0.1'), 'listening');
    origin = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await fetches.close();
    vendor.close();
  });
  beforeEach(() => void seen.splice(0));

  const get = (url: string): Promise<Response> =>
    fetches.forCall({ home: { standard: origin }, signal: new AbortController().signal })(url, {
      headers: { authorization: 'Bearer credential', 'x-api-key': 'credential', accept: 'application/json' },
    });

  it('sends the headers of the package; after a redirect, only the Accept header and no credential', async () => {
    expect(await (await get(`${origin}/a?to=/b`)).json()).toBe('done');
    expect(seen.map(({ url }) => url)).toEqual(['/a?to=/b', '/b']);
    expect(seen[0]!.headers).toMatchObject({ authorization: 'Bearer credential', 'x-api-key': 'credential' });
    expect(seen[1]!.headers.accept).toBe('application/json');
    expect(JSON.stringify(seen[1])).not.toContain('credential');
  });

  it.each(['http://127.0.0.1:1/', 'http://[::1]/', 'http://169.254.169.254/latest', 'file:///etc/passwd'])(
    'is not redirected to an internal address: %s',
    async (target) => {
      await expect(get(`${origin}/a?to=${encodeURIComponent(target)}`)).rejects.toThrow('address that is not public');
      expect(seen).toHaveLength(1);
    },
  );

  it('follows three redirects and no fourth', async () => {
    const nested = (depth: number): string => (depth === 0 ? '/end' : `/a?to=${encodeURIComponent(nested(depth - 1))}`);
    expect((await get(origin + nested(3))).status).toBe(200);
    await expect(get(origin + nested(4))).rejects.toThrow('redirects too often');
  });
});
