import type { RandomNumbers } from '../support/random-numbers.js';
import type { AccountName, Thing, ThingKind } from './requests/fuzz-request.js';

/** Older things of a kind are forgotten. */
const MAX_KEPT = 200;

/**
 * What one worker made, read and deleted. Every worker has its own, so that its requests do not depend on the others'
 * speed.
 */
export class KnownThings {
  readonly #things = new Map<ThingKind, Thing[]>();

  add(kind: ThingKind, account: AccountName | undefined, id: unknown): void {
    if (typeof id !== 'string' || account === undefined) return;
    const things = this.#things.get(kind) ?? [];
    this.#things.set(kind, things);
    if (things.some((thing) => thing.id === id && thing.account === account)) return;
    things.push({ kind, id, account, gone: false });
    if (things.length > MAX_KEPT) things.shift();
  }

  /**
   * Mostly a living thing of this account; sometimes a deleted one or one of the other account. Undefined where
   * nothing is known.
   */
  pick(random: RandomNumbers, kind: ThingKind, account: AccountName | undefined): Thing | undefined {
    // Both numbers are drawn whatever is known: the sequence of chance must not depend on responses.
    const wish = random.next();
    const place = random.next();
    const all = this.#things.get(kind) ?? [];
    const wished = all.filter((thing) =>
      wish < 0.7 ? !thing.gone && thing.account === account : wish < 0.85 ? thing.gone : thing.account !== account,
    );
    const from = wished.length > 0 ? wished : all;
    return from[Math.floor(place * from.length)];
  }
}
