import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD_FOLDER } from '../../config/compiled-code.js';

/**
 * The text of the OpenAPI document. It depends on the code alone and takes 0.4 s to make: the first start of a build
 * keeps it in the folder of the build. Where the folder cannot be written, every start makes it.
 */
export function keptOpenApi(make: () => string, folder = BUILD_FOLDER): string {
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

/** Complete or not at all: another process may read it meanwhile. */
function keep(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, text);
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true });
  }
}
