import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The contents of all files below a folder. */
export async function textOfFiles(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))).join('\n');
}
