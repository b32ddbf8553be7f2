import { RandomNumbers } from '../../test/support/random-numbers.js';
import { SecretValue } from '../kernel/secret-value.js';
import { environmentChannel, type Channel } from './channel.js';
import { inOrderOfDraw } from './channel-order.js';

const channel = (id: string, weight = 1, priority = 0): Channel => ({
  ...environmentChannel('acme', new SecretValue('key')),
  id,
  version: id,
  weight,
  priority,
});
const ROUNDS = 20_000;

describe('the order of the credentials of an endpoint', () => {
  const random = new RandomNumbers(7);
  const draw = (): number => random.next();
  const ids = (channels: readonly Channel[]): string => channels.map(({ id }) => id).join('');

  it('is a draw by weight, without replacement', () => {
    const [a, b, c] = [channel('a', 1), channel('b', 3), channel('c', 6)];
    const found = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round++) {
      const order = ids(inOrderOfDraw([a, b, c], draw));
      found.set(order, (found.get(order) ?? 0) + 1);
    }
    // The first is drawn by its share of the total weight (10), the second by its share of the remaining weight.
    const expected = { abc: 3 / 90, acb: 6 / 90, bac: 3 / 70, bca: 18 / 70, cab: 6 / 40, cba: 18 / 40 };
    for (const [order, share] of Object.entries(expected))
      expect(Math.abs(found.get(order)! / ROUNDS - share)).toBeLessThan(0.015);
  });

  it('has lower priority values first, whatever the weights', () => {
    const channels = [channel('z', 1000, 1), channel('a', 1, -1), channel('m', 1000, 0)];
    for (let round = 0; round < 100; round++) expect(ids(inOrderOfDraw(channels, draw))).toBe('amz');
  });

  it('starts with the credential of the session, even if another credential has a lower priority value', () => {
    const channels = [channel('a'), channel('b', 1000), channel('k', 1, 5)];
    for (let round = 0; round < 100; round++) expect(ids(inOrderOfDraw(channels, draw, 'k'))[0]).toBe('k');
  });

  it('draws no random number for a single credential', () => {
    const only = [channel('a')];
    expect(
      inOrderOfDraw(only, () => {
        throw new Error('drawn');
      }),
    ).toBe(only);
  });
});
