import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';

const run = promisify(execFile);

/** The console, built into a folder of its own: the tests need no `npm run build` before them. */
export async function builtConsole(): Promise<TemporaryFolder> {
  const folder = await temporaryFolder();
  const vite = join(process.cwd(), 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', 'console', '--logLevel', 'error', '--outDir', folder.path, '--emptyOutDir'];
  await run(process.execPath, args, { env: { ...process.env, NODE_ENV: 'production' } });
  return folder;
}
