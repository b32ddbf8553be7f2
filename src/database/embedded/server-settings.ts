import { join } from 'node:path';
import type { Cluster } from './cluster.js';
import { replaceFile } from './folders.js';

export const SUPERUSER = 'gatehouse';
export const DATABASE = 'gatehouse';

/**
 * These settings are not in the data folder, so that a new version of Gatehouse applies its own settings to an old
 * database. An operator overrides them with ALTER SYSTEM.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  // There is no Unix socket, because it is not needed and its path is limited to 107 bytes.
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  // Do not log statements or the DETAIL of errors, because they contain values, such as hashes of keys.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  // Overrides initdb's choice, which may come from another machine.
  huge_pages: 'off',
};

const quote = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Writes the server's configuration. The service owns the file; the server's user can only read it. */
export async function writeSettings(
  cluster: Cluster,
  port: number,
  overrides: Readonly<Record<string, string>> = {},
): Promise<string> {
  const accessFile = join(cluster.folder, 'pg_hba.conf');
  await replaceFile(accessFile, 'host all all 127.0.0.1/32 scram-sha-256\n', 0o644);
  const settings = { ...SETTINGS, hba_file: accessFile, port: `${port}`, ...overrides };
  const file = join(cluster.folder, 'postgresql.conf');
  const lines = [
    '# Written again at every start. To change a setting use ALTER SYSTEM.',
    `include = ${quote(join(cluster.dataFolder, 'postgresql.conf'))}`,
    ...Object.entries(settings).map(([name, value]) => `${name} = ${quote(value)}`),
  ];
  await replaceFile(file, `${lines.join('\n')}\n`, 0o644);
  return file;
}
