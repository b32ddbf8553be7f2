import type { RandomNumbers } from '../support/random-numbers.js';
import type { AccountName, Thing, ThingKind } from './requests/fuzz-request.js';

/** The number of resources to keep of each kind. Older ones are dropped. */
const MAX_KEPT = 200;

/**
 * The resources that one worker created, read and deleted. Each worker has a separate instance, so that its
 * requests do not depend on the speed of other workers.
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
   * Usually an existing resource of this account. Sometimes a deleted resource, or a resource of the other account.
   * Undefined if no resource of the kind is known.
   */
  pick(random: RandomNumbers, kind: ThingKind, account: AccountName | undefined): Thing | undefined {
    // Both numbers are always drawn, so that the random sequence does not depend on responses.
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
