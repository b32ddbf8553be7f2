import { readFileSync } from 'node:fs';
import { aFlag, aText, listOf, objectOf, read } from './entries/schema.js';
import { authorOf } from './names/published-names.js';

/** The text models of a vendor whose names have the same prefix. */
export interface ModelFamily {
  readonly family: string;
  /** Author of the models in the catalogue. */
  readonly author: string;
  /** The provider that serves the family's models outside the catalogue. */
  readonly provider: string;
  /** Matches the vendor's names of the models. */
  readonly pattern: RegExp;
  /** Whether the vendor writes versions with dashes: `claude-opus-4-7` where others write `claude-opus-4.7`. */
  readonly dashes: boolean;
}

/** The name of a model of a family, in the vendor's form. */
export interface FamilyName {
  readonly family: ModelFamily;
  readonly upstreamModel: string;
}

const tables = objectOf({
  families: listOf(
    objectOf({ family: aText, author: aText, provider: aText, pattern: aText, dashes: aFlag.optional() }),
  ),
  never: listOf(aText),
});

const FILE = new URL('data/model-families.json', import.meta.url);
/** Names without an author. Capitals do not match, so that a model has only one name. */
const NAME = /^[a-z][a-z0-9.-]{1,79}$/;

interface Families {
  readonly all: readonly ModelFamily[];
  readonly never: ReadonlySet<string>;
}

let shipped: Families | undefined;

function families(): Families {
  if (!shipped) {
    const { families: entries, never } = read(tables, JSON.parse(readFileSync(FILE, 'utf8')));
    shipped = {
      all: entries.map((entry) => ({ ...entry, pattern: new RegExp(entry.pattern), dashes: entry.dashes ?? false })),
      never: new Set(never),
    };
  }
  return shipped;
}

export const modelFamilies = (): readonly ModelFamily[] => families().all;

/**
 * The family that a name belongs to, with or without its author. Undefined for names outside all families, and for
 * names whose words show that the model is not a plain text model: images, speech, embeddings, searches.
 */
export function familyOf(name: string): FamilyName | undefined {
  const slash = name.indexOf('/');
  const author = slash < 0 ? undefined : authorOf(name.slice(0, slash).toLowerCase());
  const given = name.slice(slash + 1);
  if (!NAME.test(given)) return undefined;
  const { all, never } = families();
  const family = all.find((one) => (author ?? one.author) === one.author && one.pattern.test(given));
  if (!family || given.split(/[-.]/).some((word) => never.has(word))) return undefined;
  return { family, upstreamModel: family.dashes ? given.replaceAll('.', '-') : given };
}
