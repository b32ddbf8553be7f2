import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

/**
 * Runs the operator's command line from its TypeScript source, with `--json`. Returns the lines. Throws unless the exit
 * code is 0.
 */
export async function operate(
  env: Readonly<Record<string, string>>,
  ...command: readonly string[]
): Promise<Record<string, unknown>[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', './dev/typescript-loader.ts', 'src/operator/main.ts', ...command, '--json'],
    {
      cwd: resolve(import.meta.dirname, '../../..'),
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    },
  );
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
