import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

/** The first code block of a language in a page of the documentation. */
export const documentedSample = async (page: string, language: string): Promise<string> =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(await readFile(resolve(ROOT, page), 'utf8'))![1]!;
