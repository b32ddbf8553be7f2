import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SERVER_CORE, start, type Server } from './processes.js';
import { API_KEY, MANAGEMENT_KEY } from './scenarios.js';

export interface Bench {
  readonly vendor: Server;
  readonly databaseUrl: string;
  readonly postmaster: number;
  readonly dataDir: string;
  /** The version of PostgreSQL. */
  readonly postgres: string;
}

/** How Node runs the service. */
export interface NodeOptions {
  /** Replaces the flags of the start script. */
  readonly flags?: readonly string[];
  /** A folder for a CPU profile. */
  readonly profileDir?: string;
  /** Default: the core of the server under test. */
  readonly cores?: string;
  /** The folder of the build to run. Default: this repository. */
  readonly folder?: string;
}

const started: Server[] = [];
export async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  core: string,
  ready?: RegExp,
): Promise<Server> {
  const server = await start(args, env, core, ready);
  started.unshift(server);
  return server;
}

export async function stopAll(): Promise<void> {
  for (const server of started) await server.stop();
}

export const words = (text: string): string[] => text.split(' ').filter(Boolean);

/** `variables`: additional variables such as `LOG_LEVEL=info`. */
export function startService(
  bench: Bench,
  variables: readonly string[],
  { flags = flagsOfStart(), profileDir, cores = SERVER_CORE, folder = '.' }: NodeOptions = {},
): Promise<Server> {
  const profile =
    profileDir === undefined ? [] : ['--cpu-prof', '--cpu-prof-interval=250', `--cpu-prof-dir=${resolve(profileDir)}`];
  const env = {
    PORT: '0',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'text',
    DATA_DIR: bench.dataDir,
    DATABASE_URL: bench.databaseUrl,
    MASTER_KEY: 'b1'.repeat(32),
    OPENAI_API_KEY: 'credential-of-the-bench',
    OPENAI_BASE_URL: `${bench.vendor.url}/v1`,
    ANTHROPIC_API_KEY: 'credential-of-the-bench',
    ANTHROPIC_BASE_URL: `${bench.vendor.url}/v1`,
    BOOTSTRAP_API_KEY: API_KEY,
    BOOTSTRAP_MANAGEMENT_KEY: MANAGEMENT_KEY,
    BOOTSTRAP_CREDITS_USD: '1000000000',
    ...Object.fromEntries(variables.map((word) => word.split('=', 2) as [string, string])),
  };
  const ready = /(?:API {7}|"api":")(http:\/\/[^\s"]+)\/api\/v1/;
  return run([...profile, ...flags, join(folder, 'dist/main.js')], env, cores, ready);
}

/** The flags of `npm start`, so that the service is measured as in production. */
function flagsOfStart(): string[] {
  const { scripts } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return words(scripts.start).filter((word) => word.startsWith('--'));
}
