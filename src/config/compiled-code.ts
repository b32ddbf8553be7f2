import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** The folder of the running build; undefined if Node runs the source itself. */
export const BUILD_FOLDER: string | undefined = import.meta.filename.endsWith('.ts')
  ? undefined
  : join(import.meta.dirname, '..');

/**
 * Lets Node keep compiled code in a cache in the folder of the build, from which later starts read it. Call it before
 * the other files of the service are loaded. If the folder is not writable, an existing cache is read but not changed.
 */
export function prepareCompiledCode(): void {
  if (BUILD_FOLDER === undefined) return;
  enableCompileCache(join(BUILD_FOLDER, '.compile-cache'));
}
