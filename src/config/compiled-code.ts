import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** The folder of the build that runs; undefined if Node runs the source itself. */
export const BUILD_FOLDER: string | undefined = import.meta.filename.endsWith('.ts')
  ? undefined
  : join(import.meta.dirname, '..');

/**
 * Prepares Node for the compiled service, before its other files are loaded. Later starts read compiled code from a
 * cache in the folder of the build, which is removed with that folder. If the folder is not writable, they only read
 * the existing cache.
 */
export function prepareCompiledCode(): void {
  if (BUILD_FOLDER === undefined) return;
  enableCompileCache(join(BUILD_FOLDER, '.compile-cache'));
}
