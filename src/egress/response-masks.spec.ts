import { SecretValue } from '../kernel/secret-value.js';
import type { MaskableSecrets } from '../vaults/maskable-secrets.js';
import { ResponseMasks } from './response-masks.js';

const PAIR = { internId: 'an intern', host: 'api.bound.test' };
/** Each value has more than a hundred forms, so that their matcher is larger than the cache. */
const VALUES = Array.from({ length: 300 }, (_, number) => new SecretValue(`"é/secret number ${number}"`));

describe('the matcher of the secrets of a host', () => {
  it('is built only once, even if it is larger than the cache', async () => {
    let reads = 0;
    const secrets = {
      versionOf: async () => 'version 1',
      valuesFor: async () => {
        reads++;
        return VALUES;
      },
    };
    const masks = new ResponseMasks(secrets as unknown as MaskableSecrets);
    const matcher = await masks.of(PAIR);
    expect(matcher.bytes).toBeGreaterThan(67_108_864);
    expect(await masks.of(PAIR)).toBe(matcher);
    expect(reads).toBe(1);
  }, 60_000);
});
