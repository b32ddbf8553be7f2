import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD_FOLDER } from '../../config/compiled-code.js';

/**
 * The text of the OpenAPI document. The text depends only on the code and takes 0.4 s to generate, so the first start
 * of a build stores it in the folder of the build. If that folder is not writable, every start generates it.
 */
export function cachedOpenApi(make: () => string, folder = BUILD_FOLDER): string {
  if (folder === undefined) return make();
  const file = join(folder, '.openapi.json');
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const text = make();
    keep(file, text);
    return text;
  }
}

/** Writes the file atomically, because another process may be reading it. Ignores errors. */
function keep(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, text);
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true });
  }
}
