import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import type { Channel } from '../../channels/channel.js';
import type { CredentialRests } from '../../channels/credential-rests.js';
import type { Config } from '../../config/config.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import type { UsableCredential } from '../../secrets/credential-directory.js';
import { Metrics } from '../../telemetry/metrics.js';
import { CallableCredentials, type Candidate } from './callable-credentials.js';
import { EndpointHealth } from './endpoint-health.js';

const PAUSE_MS = 60_000;
const ENDPOINT = { provider: 'acme', tag: 'acme', upstreamModel: 'one', capability: 'chat' } as CatalogueEndpoint;
const OUTAGE = new GatewayError('provider_failed', 'The provider failed', { outage: true });
const NO_RESTS = { isEmpty: true } as CredentialRests;
const NORTH = 'https://north.example/v1';
const SOUTH = 'https://south.example/v1';

const candidate = (addresses: readonly (string | null)[], own: readonly UsableCredential[] = []): Candidate => ({
  endpoint: ENDPOINT,
  own,
  platform: addresses.map((baseUrl) => ({ baseUrl }) as Channel),
});

describe('Retry-After of a call whose breakers are all open', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterEach(() => jest.restoreAllMocks());

  /** `openedAt`: seconds at which the breaker of each address opens. Returns Retry-After at second 10. */
  async function retryAfter(
    openedAt: readonly (readonly [second: number, address: string | undefined])[],
    candidates: readonly Candidate[],
  ): Promise<string | undefined> {
    const config = { values: { BREAKER_FAILURES: 1, BREAKER_PAUSE_MS: PAUSE_MS } } as unknown as Config;
    const health = new EndpointHealth(config, new Metrics());
    const now = jest.spyOn(Date, 'now');
    for (const [second, address] of openedAt) {
      now.mockReturnValue(second * 1_000);
      await expect(health.watch(ENDPOINT, () => Promise.reject(OUTAGE), address)).rejects.toBe(OUTAGE);
      await new Promise(setImmediate);
    }
    now.mockReturnValue(10_000);
    try {
      new CallableCredentials(health, NO_RESTS).of(candidates, 'model');
    } catch (error) {
      return (error as GatewayError).headers?.['Retry-After'];
    }
    return undefined;
  }

  it('is the remaining pause of the address of the only credential', async () => {
    expect(await retryAfter([[4, NORTH]], [candidate([NORTH])])).toBe('54');
  });

  it.each([
    ['of the addresses of the platform', [NORTH, SOUTH], [], '51'],
    ["of the platform's addresses and of the provider's address", [NORTH, SOUTH, null], [], '50'],
    [
      "of the platform's addresses and of the provider's address, which own credentials use",
      [NORTH, SOUTH],
      [{}],
      '50',
    ],
    ['without the address of the provider, which no credential uses', [SOUTH], [], '59'],
  ] as const)('is the shortest pause %s', async (_, addresses, own, seconds) => {
    const open = [
      [0, undefined],
      [1, NORTH],
      [9, SOUTH],
    ] as const;
    expect(await retryAfter(open, [candidate(addresses, own as unknown as UsableCredential[])])).toBe(seconds);
  });

  it('is the shortest pause of all endpoints', async () => {
    const open = [
      [1, NORTH],
      [9, SOUTH],
    ] as const;
    expect(await retryAfter(open, [candidate([SOUTH]), candidate([NORTH])])).toBe('51');
  });
});
