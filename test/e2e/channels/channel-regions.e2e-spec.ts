import { ENVIRONMENT_KEY, startChannelStage, type ChannelStage } from '../../support/api/channel-stage.js';
import { clearCredentialRests } from '../../support/calls/end-rests.js';

const EU = 'sk-eu-credential-0123456789';
const US = 'sk-us-credential-0123456789';

describe('a credential with a region', () => {
  let stage: ChannelStage;
  beforeAll(async () => {
    stage = await startChannelStage();
    await stage.store({ key: EU, region: 'eu', priority: 2 });
    await stage.store({ key: US, region: 'us', priority: 1 });
  });
  afterEach(() => {
    clearCredentialRests(stage.service);
    for (const vendor of [stage.vendor, stage.other]) {
      vendor.clear();
      vendor.seen.length = 0;
    }
  });
  afterAll(() => stage.stop());
  /** The keys of the vendor calls for one request. `other`: a call of the other vendor. */
  const used = async (provider: object): Promise<string[]> => {
    const { status } = await stage.chat({ model: 'rules/two', provider });
    expect(status).toBe(200);
    return [...stage.keys(), ...stage.other.seen.map(() => 'other')];
  };

  it('is the only credential for a request whose provider.only names its provider/region', async () => {
    expect(await used({ only: ['openai/eu'] })).toEqual([EU]);
    stage.vendor.script({ status: 429, headers: { 'retry-after': '1' }, body: {} });
    expect((await stage.chat({ provider: { only: ['openai/us'] } })).status).toBe(429);
    expect(stage.keys()).toEqual([EU, US]);
  });

  it('is used first for a request whose provider.order names its provider/region', async () => {
    expect(await used({ order: ['openai/eu', 'deepinfra'] })).toEqual([EU]);
  });

  it('is excluded if provider.ignore names its provider/region; other credentials are still used', async () => {
    stage.vendor.script({ status: 429, headers: { 'retry-after': '60' }, body: {} });
    const provider = { order: ['openai'], ignore: ['openai/us', 'deepinfra'] };
    expect(await used(provider)).toEqual([ENVIRONMENT_KEY, EU]);
  });

  it('is not found if no credential has the region: the 404 names the member of the request', async () => {
    const { status, json } = await stage.chat({ provider: { only: ['openai/asia'] } });
    expect([status, json.error.message]).toEqual([404, expect.stringContaining('provider.only')]);
  });

  it('serves requests without a region according to its priority', async () => {
    expect(await used({ only: ['openai'], order: ['openai'] })).toEqual([ENVIRONMENT_KEY]);
  });
});
