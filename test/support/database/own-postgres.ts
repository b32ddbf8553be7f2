import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LEDGER_SQL } from '../../../src/billing/ledger-sql.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../src/database/embedded-postgres.js';
import { migrate } from '../../../src/database/migrate.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';

/** A PostgreSQL of the test's own, to be frozen, killed or filled: the server of the run belongs to all tests. */
export interface OwnPostgres {
  /** Of a migrated database. */
  readonly url: string;
  /** The data folder that `startEmbeddedPostgres` was given. */
  readonly dataDir: string;
  postmasterPid(): Promise<number>;
  /** Stops the postmaster and every backend in their tracks, connections open. */
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
      // Before its children are listed, so that it starts no other meanwhile.
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
    // It ended meanwhile.
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => Number.isInteger(pid));
  const parents = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  // Behind the name in parentheses, which may hold anything: the state, then the parent.
  return pids.filter((_, index) => Number(/^.*\) \S (\d+)/s.exec(parents[index]!)?.[1]) === parent);
}
