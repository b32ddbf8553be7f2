import { setLanguage, type Messages } from './translate';

/** A file for each language except English, named by its tag, such as `languages/de.ts`. */
const LANGUAGES = import.meta.glob<{ readonly messages: Messages }>('./languages/*.ts');

const fileOf = (tag: string): string => `./languages/${tag.toLowerCase()}.ts`;

/** The tag, then the language without its region. */
const tagsOf = (wanted: string): readonly string[] => [wanted, wanted.split('-')[0]!];

/** The first of the browser's languages that has a file. The source contains English. */
function chosen(wanted: readonly string[]): string | undefined {
  const tags = wanted.flatMap(tagsOf);
  return tags.find((tag) => tag === 'en' || fileOf(tag) in LANGUAGES);
}

export async function loadLanguage(): Promise<void> {
  const tag = chosen(navigator.languages);
  const load = tag === undefined ? undefined : LANGUAGES[fileOf(tag)];
  if (tag === undefined || load === undefined) return;
  setLanguage(tag, (await load()).messages);
  document.documentElement.lang = tag;
}
