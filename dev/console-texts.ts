// `npm run -s console:texts` prints a language file with each message of the console in English, as a template for
// translators.
// `npm run -s console:texts -- <file>` compares such a file with the messages.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Messages } from '../console/src/text/translate.js';
import { consoleMessages } from './console-messages.js';

const messages = consoleMessages('console/src');

const placeholders = (text: string): string => (text.match(/\{\w+\}/g) ?? []).toSorted().join();

function languageFile(): string {
  const lines = [...messages].map(([message, { isPlural }]) => {
    const text = JSON.stringify(message);
    return `  ${text}: ${isPlural ? `{ one: ${text}, other: ${text} }` : text},`;
  });
  return [
    "import type { Messages } from '../translate';",
    '',
    'export const messages: Messages = {',
    ...lines,
    '};',
  ].join('\n');
}

function faultsOf(translations: Messages): string[] {
  const missing = [...messages.keys()].filter((message) => !Object.hasOwn(translations, message));
  const unused = Object.keys(translations).filter((message) => !messages.has(message));
  const wrong = Object.entries(translations).filter(([message, translation]) =>
    (typeof translation === 'string' ? [translation] : Object.values(translation)).some(
      (text) => placeholders(text) !== placeholders(message),
    ),
  );
  return [
    ...missing.map((message) => `not translated: ${message}`),
    ...unused.map((message) => `no message of the console: ${message}`),
    ...wrong.map(([message]) => `other names in braces: ${message}`),
  ];
}

async function compare(file: string): Promise<void> {
  const how = `npm run -s console:texts > ${file}`;
  if (!existsSync(file)) throw new Error(`${file} does not exist: ${how} makes it`);
  const { messages: translations } = (await import(pathToFileURL(resolve(file)).href)) as {
    readonly messages: Messages;
  };
  const faults = faultsOf(translations);
  for (const fault of faults) console.log(fault);
  console.log(`${messages.size} messages, ${faults.length} faults`);
  if (faults.length > 0) process.exitCode = 1;
}

const [file] = process.argv.slice(2);
if (file === undefined) console.log(languageFile());
else await compare(file);
