// `npm run dev`: compiles on every change, and restarts the service after each compilation without an error. Sends
// SIGTERM to the running service and waits for its end first, because it uses the data folder and the port until then.
// Compiles into its own folder, because dist/ belongs to `npm run build`.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The outDir in tsconfig.dev.json. */
const FOLDER = '.dist-dev';

const nest = createRequire(`${process.cwd()}/`).resolve('@nestjs/cli/bin/nest.js');
// Start it in its own process group, so that Ctrl-C reaches only this process, which then stops the service before the
// compiler.
const compiler = spawn(
  process.execPath,
  [nest, 'build', '--watch', '--preserveWatchOutput', '--path', 'tsconfig.dev.json'],
  { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
);

let service: ChildProcess | undefined;
let restarting: Promise<void> = Promise.resolve();
let isEnding = false;

async function stopService(signal: NodeJS.Signals): Promise<void> {
  if (!service || service.exitCode !== null || service.signalCode !== null) return;
  const exited = once(service, 'exit');
  service.kill(signal);
  await exited;
}

/**
 * Builds the console. The compiler deletes the whole folder when it starts. While the console is being changed, `npx
 * vite console` serves it.
 */
async function buildConsole(): Promise<void> {
  if (!existsSync('console') || existsSync(join(FOLDER, 'console'))) return;
  const folder = join(process.cwd(), FOLDER, 'console');
  const build = spawn('npm', ['run', '-s', 'build:console', '--', '--emptyOutDir', '--outDir', folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(build, 'exit')) as [number | null];
  if (code !== 0) console.log('The console was not built: the service has no pages.');
}

async function restart(): Promise<void> {
  await stopService('SIGTERM');
  await buildConsole();
  if (isEnding) return;
  // The previous start wrote this document from code that has changed since.
  rmSync(join(FOLDER, '.openapi.json'), { force: true });
  service = spawn(process.execPath, ['--disable-sigusr1', join(FOLDER, 'main.js')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  service.once('exit', (code) => {
    if (code) console.log(`The service ended with ${code}. It is started again after the next change.`);
  });
}

createInterface({ input: compiler.stdout }).on('line', (line) => {
  console.log(line);
  // The compiler's message (TS6194).
  if (/Found 0 errors\. Watching for file changes/.test(line)) restarting = restarting.then(restart);
});

async function end(signal: NodeJS.Signals): Promise<void> {
  if (isEnding) return void service?.kill(signal);
  isEnding = true;
  await restarting;
  await stopService(signal);
  compiler.kill();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void end(signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM'));
// Without a compiler there is nothing to watch.
compiler.once('exit', (code) => void stopService('SIGTERM').then(() => process.exit(isEnding ? 0 : (code ?? 1))));
