import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import { inOrderOfUse, type Contender, type EndpointLatency } from './endpoint-order.js';

const at = (provider: string, worstCase: bigint, tag = provider): Contender => ({
  endpoint: { provider, tag } as CatalogueEndpoint,
  prepared: { worstCase },
});
const pace = (latency: Record<string, number>, rate: Record<string, number> = {}): EndpointLatency => ({
  latencyMs: ({ provider }) => latency[provider],
  perSecond: ({ provider }) => rate[provider],
});
const drawing = (number: number): { next: () => number } => ({ next: () => number });
const names = (order: readonly Contender[]): string => order.map(({ endpoint }) => endpoint.tag).join(' ');
const THREE = [at('dear', 300n), at('cheap', 100n), at('middle', 200n)];

describe('the order of the endpoints of a call', () => {
  // The weights are 1/100² : 1/200² : 1/300² = 36 : 9 : 4, with the sum 49.
  it.each([
    [0, 'cheap middle dear'],
    [35.9 / 49, 'cheap middle dear'],
    [36.1 / 49, 'middle cheap dear'],
    [44.9 / 49, 'middle cheap dear'],
    [45.1 / 49, 'dear cheap middle'],
    [0.999_999, 'dear cheap middle'],
  ])('begins with an endpoint drawn by the inverse square of its price, before the others: %d', (number, order) => {
    expect(names(inOrderOfUse(THREE, {}, pace({}), drawing(number)))).toBe(order);
  });

  it('begins with a random free endpoint if there are free endpoints', () => {
    expect(names(inOrderOfUse([...THREE, at('free', 0n), at('gratis', 0n)], {}, pace({}), drawing(0.7)))).toBe(
      'gratis free cheap middle dear',
    );
  });

  it('begins with the endpoints that are named by provider or tag, before a random choice among the rest', () => {
    expect(
      names(
        inOrderOfUse(
          [...THREE, at('middle', 900n, 'middle/eu')],
          { order: ['middle/eu', 'dear', 'unknown'] },
          pace({}),
          drawing(0.99),
        ),
      ),
    ).toBe('middle/eu dear middle cheap');
  });

  it.each([
    ['price', 'cheap middle dear'],
    ['latency', 'dear middle cheap'],
    ['throughput', 'middle cheap dear'],
  ] as const)('is an order by %s without a random choice, with unmeasured endpoints last', (sort, order) => {
    expect(
      names(inOrderOfUse(THREE, { sort }, pace({ dear: 10, middle: 20 }, { middle: 9, cheap: 3 }), drawing(0.99))),
    ).toBe(order);
  });
});
