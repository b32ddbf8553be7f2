import type { EndpointCall } from '../../ports/endpoint-call.js';
import { VendorFetch } from '../../wire/vendor-fetch.js';
import { SdkCalls } from './sdk-calls.js';
import type { SdkVendor } from './sdk-vendors.js';

const aCall = (name: string): EndpointCall => ({
  package: name,
  provider: 'some-vendor',
  upstreamModel: 'm',
  credential: null,
  options: {},
  signal: new AbortController().signal,
});

describe('opening a provider package', () => {
  const fetch = new VendorFetch(1_000);
  afterAll(() => fetch.close());
  // The name is in a variable, so that tools do not try to resolve the package statically.
  const absent = '@ai-sdk/absent';
  const vendor: SdkVendor = {
    load: () => import(absent) as never,
    defaultBaseUrl: 'https://api.vendor.example',
    optionsKey: 'x',
  };

  it('that is not installed fails with one line and the command that installs it', async () => {
    const calls = new SdkCalls(fetch, () => undefined, { [absent]: vendor });
    await expect(calls.open(aCall(absent))).rejects.toMatchObject({
      kind: 'not_found',
      message:
        'The package @ai-sdk/absent is not installed on this service: the operator installs it with npm ' +
        'install @ai-sdk/absent',
    });
  });

  it.each(['left-pad', '__proto__', 'constructor', ''])(
    'fails if the package is not in the table: %j',
    async (name) => {
      await expect(new SdkCalls(fetch, () => undefined).open(aCall(name))).rejects.toMatchObject({
        kind: 'not_found',
        message: expect.stringContaining('does not support'),
      });
    },
  );

  it('of a vendor without a known address fails, and the error names the variable for the address', async () => {
    const calls = new SdkCalls(fetch, () => undefined, { [absent]: { ...vendor, defaultBaseUrl: undefined } });
    await expect(calls.open(aCall(absent))).rejects.toMatchObject({
      message: expect.stringContaining('SOME_VENDOR_BASE_URL'),
    });
  });
});
