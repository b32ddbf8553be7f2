import { shippedFile } from './data/shipped-file.js';
import { aFlag, aText, listOf, objectOf } from './entries/schema.js';
import { authorOf } from './names/published-names.js';

/** The text models of a vendor whose names have the same prefix. */
export interface ModelFamily {
  readonly family: string;
  /** Author of the models in the catalogue. */
  readonly author: string;
  /** The provider that serves the models of the family that are not in the catalogue. */
  readonly provider: string;
  /** Matches the vendor's names of the models. */
  readonly pattern: RegExp;
  /** Whether the vendor writes versions with dashes: `claude-opus-4-7` where others write `claude-opus-4.7`. */
  readonly dashes: boolean;
}

/** The name of a model of a family, in the vendor's form. */
interface FamilyName {
  readonly family: ModelFamily;
  readonly upstreamModel: string;
}

const tables = objectOf({
  families: listOf(
    objectOf({ family: aText, author: aText, provider: aText, pattern: aText, dashes: aFlag.optional() }),
  ),
  never: listOf(aText),
});

/** Names without an author. Capitals do not match, so that a model has only one name. */
const NAME = /^[a-z][a-z0-9.-]{1,79}$/;

let shipped: ReturnType<typeof readFamilies> | undefined;

function readFamilies(): { readonly all: readonly ModelFamily[]; readonly never: ReadonlySet<string> } {
  const { families, never } = shippedFile(tables, 'model-families.json');
  return {
    all: families.map((entry) => ({ ...entry, pattern: new RegExp(entry.pattern), dashes: entry.dashes ?? false })),
    never: new Set(never),
  };
}

/**
 * The family of a name with or without an author. Undefined for names outside all families, and for names with a word
 * that stands for another kind of model: images, speech, embeddings, searches.
 */
export function familyOf(name: string): FamilyName | undefined {
  const slash = name.indexOf('/');
  const author = slash < 0 ? undefined : authorOf(name.slice(0, slash).toLowerCase());
  const given = name.slice(slash + 1);
  if (!NAME.test(given)) return undefined;
  const { all, never } = (shipped ??= readFamilies());
  const family = all.find((one) => (author ?? one.author) === one.author && one.pattern.test(given));
  if (!family || given.split(/[-.]/).some((word) => never.has(word))) return undefined;
  return { family, upstreamModel: family.dashes ? given.replaceAll('.', '-') : given };
}
