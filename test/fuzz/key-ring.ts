import { ACCESS_MATRIX, COLUMNS, type Column } from '../support/api/access-matrix.data.js';
import type { DocumentedRoute } from '../support/api/openapi-document.js';
import type { RandomNumbers } from '../support/random-numbers.js';
import type { FuzzKey } from './requests/fuzz-request.js';
import type { KnownThings } from './known-things.js';
import { nameOfRoute } from './specification-statuses.js';

const CLASSES: readonly Column[] = ['standard', 'management', "intern's own"];
/** Headers that contain no key. */
const MALFORMED = [
  'Bearer',
  'Bearer ',
  'Basic dXNlcjpwYXNz',
  'two words',
  'Bearer a b',
  'bearer',
  `Bearer ${'x'.repeat(8_000)}`,
  'Bearer \u00ff',
  'Token abc',
  ',',
];

/** The classes of keys that may call each route. */
const ALLOWED = new Map(
  ACCESS_MATRIX.map(([route, statuses]) => [
    route,
    CLASSES.filter((column) => ![401, 403, 404].includes(statuses[COLUMNS.indexOf(column)]!)),
  ]),
);

/** The keys of a run, by class. */
export class KeyRing {
  constructor(private readonly keys: readonly FuzzKey[]) {}

  named(name: string): FuzzKey {
    const key = this.keys.find((one) => one.name === name);
    if (!key) throw new Error(`no key of the run is named ${name}`);
    return key;
  }

  /** Usually a key of either account that may call the route. Sometimes any other key, a malformed header or no key. */
  pick(random: RandomNumbers, { method, path }: DocumentedRoute, known: KnownThings): FuzzKey {
    const drawn = random.next();
    const allowed = ALLOWED.get(nameOfRoute(method, path)) ?? [];
    const right = this.keys.filter(
      ({ column, account }) => column !== undefined && allowed.includes(column) && account !== undefined,
    );
    const made = known.pick(random, 'secret key', random.chance(0.8) ? 'first' : 'second');
    const malformed = random.pick(MALFORMED);
    const any = random.pick(this.keys);
    const chosen = right.length > 0 ? random.pick(right) : any;
    if (drawn < 0.72) return chosen;
    if (drawn < 0.8 && made)
      return { name: 'a key made in the run', header: `Bearer ${made.id}`, account: made.account, column: undefined };
    if (drawn < 0.83) return { name: 'no key', header: undefined, account: undefined, column: 'no key' };
    if (drawn < 0.86) return { name: 'malformed', header: malformed, account: undefined, column: 'malformed' };
    return any;
  }
}
