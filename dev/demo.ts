// `npm run demo`: fills its own data folder with the demo data (`operator demo`), unless an earlier run did. The npm
// script then starts the service on it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, ...words] = process.argv.slice(2) as [string, ...string[]];
/** Written after the last call. A folder without this file is incomplete. */
const FILLED = join(folder, 'demo-data');

if (existsSync(FILLED)) {
  console.error(`The demo data is in ${folder} from an earlier run. Remove the folder to generate new data.`);
} else {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const operator = ['--disable-sigusr1', 'dist/operator/main.js', 'demo', ...words];
  const { status } = spawnSync(process.execPath, operator, { stdio: 'inherit' });
  if (status === 0) writeFileSync(FILLED, '');
  else {
    console.error(`${folder} was not filled. Remove the folder before the next run.`);
    process.exitCode = 1;
  }
}
