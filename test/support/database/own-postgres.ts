import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LEDGER_SQL } from '../../../src/billing/ledger-sql.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../src/database/embedded-postgres.js';
import { migrate } from '../../../src/database/migrate.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';

/** A separate PostgreSQL for tests that freeze, kill or fill it, because all tests share the server of the run. */
export interface OwnPostgres {
  /** The URL of a migrated database. */
  readonly url: string;
  /** The data folder passed to `startEmbeddedPostgres`. */
  readonly dataDir: string;
  postmasterPid(): Promise<number>;
  /** Stops the postmaster and every backend by SIGSTOP, with open connections. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  stop(): Promise<void>;
}

export async function startOwnPostgres({
  dataDir,
  settings = {},
}: { readonly dataDir?: string; readonly settings?: Readonly<Record<string, string>> } = {}): Promise<OwnPostgres> {
  const folder: TemporaryFolder | undefined = dataDir === undefined ? await temporaryFolder() : undefined;
  const place = dataDir ?? join(folder!.path, 'data');
  const server: EmbeddedPostgres = await startEmbeddedPostgres({
    dataDir: place,
    log: () => undefined,
    settings: { fsync: 'off', ...settings },
  });
  const postmasterPid = async (): Promise<number> =>
    Number.parseInt(await readFile(join(place, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10);
  const frozen = new Set<number>();
  const thaw = (): Promise<void> => {
    for (const pid of frozen) signal(pid, 'SIGCONT');
    frozen.clear();
    return Promise.resolve();
  };
  await migrate(server.url, LEDGER_SQL);
  return {
    url: server.url,
    dataDir: place,
    postmasterPid,
    freeze: async () => {
      const postmaster = await postmasterPid();
      const stop = (pid: number): void => {
        frozen.add(pid);
        signal(pid, 'SIGSTOP');
      };
      // Freeze the postmaster before its children are listed, so that it cannot start more of them.
      stop(postmaster);
      for (const pid of await childrenOf(postmaster)) stop(pid);
    },
    thaw,
    stop: async () => {
      await thaw();
      await server.stop();
      await folder?.remove();
    },
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has already ended.
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => Number.isInteger(pid));
  const parents = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  // The state and the id of the parent follow the name, which is in parentheses and may contain anything.
  return pids.filter((_, index) => Number(/^.*\) \S (\d+)/s.exec(parents[index]!)?.[1]) === parent);
}
