import { execFileSync, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { freePort } from '../../test/support/services/free-port.js';

/** A ClickHouse server that the bench starts, on a free port of the loopback interface. */
export interface ClickHouse {
  readonly version: string;
  /** Runs one statement; `data` is the input of an INSERT. */
  run(sql: string, data?: AsyncIterable<Buffer>): Promise<string>;
  /** Returns the rows of a SELECT, all values as text. */
  rows(sql: string): Promise<string[][]>;
  stop(): Promise<void>;
}

const COLUMNS = `id UUID, created_ms UInt64, at DateTime, cost Int64, upstream_cost Int64,
  account_no Int32, workspace_no Int32, key_no Int32, model Int32, provider Int32,
  external_user Nullable(Int32), app Nullable(Int32), origin Nullable(Int32), finish_reason Nullable(Int32),
  tokens_prompt Int32, tokens_completion Int32, tokens_reasoning Int32, tokens_cached Int32,
  characters Int32, latency_ms Int32, duration_ms Int32, status Int16, images Int16, modality Int8, is_byok UInt8`;

/** The table of the raw rows, sorted by account and time, by which all queries filter. */
export const CREATE_RAW = `create table generation (${COLUMNS})
  engine = MergeTree
  partition by toMonday(at)
  order by (account_no, at)`;
export const RAW_COLUMNS = COLUMNS.split(',').map((column) => column.trim().split(' ')[0]!);

/** Columns that ClickHouse stores with another value, as expressions of PostgreSQL. */
const SPECIAL: Record<string, string> = {
  created_ms: '(extract(epoch from created_at) * 1000)::bigint',
  at: 'floor(extract(epoch from created_at))::bigint',
  is_byok: 'is_byok::int',
  upstream_cost: 'coalesce(upstream_cost, cost)',
  ...Object.fromEntries(
    ['tokens_reasoning', 'tokens_cached', 'characters', 'images'].map((name) => [name, `coalesce(${name}, 0)`]),
  ),
};
/** Reads the same rows from PostgreSQL, in ClickHouse's format. */
export const COPY_RAW = `copy (select ${RAW_COLUMNS.map((name) => SPECIAL[name] ?? name).join(', ')}
  from generation
  order by created_at) to stdout (format csv, null '\\N')`;

/** Undefined if ClickHouse is not installed. Needs its client too, which reports the version. */
export async function startClickHouse(folder: string, threads: number): Promise<ClickHouse | undefined> {
  const version = versionOf();
  if (version === undefined) return undefined;
  const [http, tcp, inter] = [await freePort(), await freePort(), await freePort()];
  await mkdir(join(folder, 'data'), { recursive: true });
  await writeFile(
    join(folder, 'config.xml'),
    `<yandex><logger><level>error</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
      <http_port>${http}</http_port><tcp_port>${tcp}</tcp_port><interserver_http_port>${inter}</interserver_http_port>
      <listen_host>127.0.0.1</listen_host>
      <path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path>
      <users_config>users.xml</users_config><default_profile>default</default_profile><timezone>UTC</timezone>
      <default_database>default</default_database><mark_cache_size>5368709120</mark_cache_size></yandex>`,
  );
  await writeFile(
    join(folder, 'users.xml'),
    `<yandex>
      <profiles><default>
        <max_threads>${threads}</max_threads><max_memory_usage>8000000000</max_memory_usage>
      </default></profiles>
      <users><default>
        <password></password><networks><ip>127.0.0.1</ip></networks>
        <profile>default</profile><quota>default</quota>
      </default></users>
      <quotas><default></default></quotas></yandex>`,
  );
  const server = spawn('clickhouse-server', [`--config-file=${join(folder, 'config.xml')}`], { stdio: 'ignore' });
  const origin = `http://127.0.0.1:${http}/`;
  const run = async (sql: string, data?: AsyncIterable<Buffer>): Promise<string> => {
    const url = data ? `${origin}?query=${encodeURIComponent(sql)}` : origin;
    const { statusCode, body } = await request(url, {
      method: 'POST',
      body: data ? Readable.from(data) : sql,
      headersTimeout: 600_000,
      bodyTimeout: 600_000,
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`ClickHouse: ${text.slice(0, 500)}`);
    return text;
  };
  for (let attempt = 0; ; attempt++) {
    if (await run('select 1').catch(() => undefined)) break;
    if (attempt > 100 || server.exitCode !== null) throw new Error('ClickHouse did not start');
    await new Promise((next) => setTimeout(next, 100));
  }
  return {
    version,
    run,
    rows: async (sql) =>
      (await run(`${sql} format TabSeparated`))
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split('\t')),
    stop: async () => {
      const ended = new Promise((resolve) => server.once('close', resolve));
      server.kill('SIGTERM');
      await ended;
    },
  };
}

function versionOf(): string | undefined {
  try {
    return execFileSync('clickhouse-client', ['--version'], { encoding: 'utf8' }).match(/\d+(\.\d+)+/)?.[0];
  } catch {
    return undefined;
  }
}
