import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, isListening } from '../services/free-port.js';
import { temporaryFolder } from '../temporary-folder.js';

const PROGRAM = '/usr/sbin/pgbouncer';

/** Whether Debian's pgbouncer is installed. If not, logs once that tests are skipped. */
export function pgbouncerIsInstalled(): boolean {
  const installed = spawnSync(PROGRAM, ['--version']).status === 0;
  if (!installed) process.stderr.write('pgbouncer is not installed: the tests that need it are skipped\n');
  return installed;
}

export interface TestPooler {
  /** The same database, through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a separate pgbouncer in front of a database. */
export async function startPgbouncer(
  databaseUrl: string,
  mode: 'transaction' | 'session',
  poolSize = 40,
): Promise<TestPooler> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl);
  const name = pathname.slice(1);
  const file = join(folder.path, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
${name} = host=${hostname} port=${serverPort} dbname=${name} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${poolSize}
server_login_retry = 1
max_client_conn = 500
`,
  );
  // As root, pgbouncer runs as the user nobody, who must be able to read the file. It contains the password of a test
  // server.
  const asRoot = process.getuid?.() === 0;
  if (asRoot) await chmod(file, 0o644);
  const pooler = spawn(PROGRAM, ['-q', ...(asRoot ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' });
  const exited = once(pooler, 'exit');
  while (!(await isListening(port))) {
    if (pooler.exitCode !== null) throw new Error(`pgbouncer ended with ${pooler.exitCode}`);
    await sleep(20);
  }
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    stop: async () => {
      // SIGTERM closes all connections immediately.
      pooler.kill('SIGTERM');
      await exited;
      await folder.remove();
    },
  };
}
