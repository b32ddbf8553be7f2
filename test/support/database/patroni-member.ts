import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childrenOf } from '../services/child-processes.js';

export const POSTGRES = '/usr/lib/postgresql/15/bin';
export const PASSWORD = 'test-password';
/** In seconds; shorter than in production, so that many failovers fit into a test. */
const TTL_S = 6;
const LOOP_WAIT_S = 1;

/** A PostgreSQL server that is managed by Patroni. */
export interface PatroniMember {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly folder: string;
  patroni: ChildProcess;
}

export const etcdFlags = (folder: string, client: string, peer: string): string[] => [
  '--enable-v2',
  `--data-dir=${folder}`,
  `--listen-client-urls=${client}`,
  `--advertise-client-urls=${client}`,
  `--listen-peer-urls=${peer}`,
  `--initial-advertise-peer-urls=${peer}`,
  `--initial-cluster=default=${peer}`,
];

export function memberConfig(
  { name, port, restPort, folder }: PatroniMember,
  etcdPort: number,
  isSynchronous: boolean,
): object {
  const access = ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'];
  const user = (username: string): object => ({ username, password: PASSWORD });
  const parameters = {
    max_connections: 200,
    fsync: 'off',
    timezone: 'UTC',
    wal_keep_size: '2GB',
    wal_log_hints: 'on',
    wal_sender_timeout: '3s',
    wal_receiver_timeout: '3s',
  };
  return {
    scope: 'test',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    // Not `etcd3`: with it, Patroni 3.0 keeps an old revision after a failed write, and then never registers a
    // synchronous standby.
    etcd: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: TTL_S,
        loop_wait: LOOP_WAIT_S,
        retry_timeout: 3,
        maximum_lag_on_failover: 1_073_741_824,
        synchronous_mode: isSynchronous,
        synchronous_mode_strict: isSynchronous,
        postgresql: { use_pg_rewind: true, parameters },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
      pg_hba: access,
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, 'data'),
      bin_dir: POSTGRES,
      pgpass: join(folder, 'pgpass'),
      authentication: { superuser: user('postgres'), replication: user('replicator'), rewind: user('postgres') },
      parameters: { unix_socket_directories: folder },
      remove_data_directory_on_diverged_timelines: true,
      remove_data_directory_on_rewind_failure: true,
    },
  };
}

/** The configuration of HAProxy, which forwards to the member that its Patroni reports as the primary. */
export const haproxyConfig = (port: number, members: readonly PatroniMember[]): string => `global
  maxconn 1000
defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 1s
frontend primary
  bind 127.0.0.1:${port}
  default_backend members
backend members
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fastinter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ name, port: at, restPort }) => `  server ${name} 127.0.0.1:${at} check port ${restPort}`).join('\n')}
`;

/** The ids of the processes of Patroni and PostgreSQL. */
export async function pidsOf({ folder, patroni }: PatroniMember): Promise<number[]> {
  const isOpen = patroni?.pid !== undefined && patroni.exitCode === null && patroni.signalCode === null;
  const pids = isOpen ? [patroni.pid, ...(await childrenOf(patroni.pid, /./).catch(() => []))] : [];
  const postmaster = await postmasterOf(folder);
  if (postmaster === undefined) return pids;
  return [...new Set([...pids, postmaster, ...(await childrenOf(postmaster, /./).catch(() => []))])];
}

export async function walSendersOf({ folder }: PatroniMember): Promise<number[]> {
  return childrenOf((await postmasterOf(folder))!, /walsender/);
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}

async function postmasterOf(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  // After a kill, the file remains, and another process may have got the id.
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return line.includes(join(folder, 'data')) ? pid : undefined;
}
