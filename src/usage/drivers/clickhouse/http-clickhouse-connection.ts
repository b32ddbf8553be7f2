import type { ClickHouseClient } from '@clickhouse/client';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Statement } from '../../query/statement.js';
import {
  ClickHouseConnection,
  ClickHouseFault,
  namedParameters,
  type RowPage,
  type ClickHouseOptions,
} from './clickhouse-connection.js';

/** One line for each row, so that a result can be read in pieces. The first line has the names of the columns. */
const FORMAT = 'JSONCompactEachRowWithNames';
const MAX_CONNECTIONS = 16;
/** Callers set shorter deadlines by signals. */
const REQUEST_TIMEOUT_MS = 3_600_000;

/** The parts of CLICKHOUSE_URL. */
export interface ClickHouseAddress {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
}

export function clickHouseAddress(text: string): ClickHouseAddress {
  const { protocol, host, username, password, pathname } = new URL(text);
  return {
    url: `${protocol}//${host}`,
    username: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.replace(/^\/|\/$/g, '')) || 'default',
  };
}

/** ClickHouse over HTTP. The client library is loaded when the first statement runs. */
export class HttpClickHouseConnection extends ClickHouseConnection {
  #client: Promise<ClickHouseClient> | undefined;

  constructor(private readonly address: ClickHouseAddress) {
    super();
  }

  async *rows(statement: Statement, { signal, settings }: ClickHouseOptions): AsyncIterable<RowPage> {
    const { text, parameters } = namedParameters(statement);
    try {
      signal.throwIfAborted();
      const client = await this.#open();
      const result = await client.query({
        query: text,
        format: FORMAT,
        query_params: parameters,
        use_multipart_params_auto: true,
        abort_signal: signal,
        // Without `wait_end_of_query`, an error in the middle of a result would come after the status 200.
        clickhouse_settings: { wait_end_of_query: 1, ...settings },
      });
      let names: readonly string[] | undefined;
      for await (const page of result.stream()) {
        const rows = page.map((row) => row.json<readonly unknown[]>());
        names ??= rows.shift() as readonly string[];
        yield { names, rows };
      }
    } catch (error) {
      throw faultOf(error, signal);
    }
  }

  insert(table: string, lines: string, { signal, settings }: ClickHouseOptions): Promise<void> {
    return this.#send(signal, async (client) => {
      const { stream } = await client.exec({
        query: `insert into ${table} format JSONCompactEachRow`,
        values: Readable.from([Buffer.from(lines)]),
        abort_signal: signal,
        clickhouse_settings: { wait_end_of_query: 1, ...settings },
      });
      // The response is empty, but the connection is in use until the stream ends.
      stream.resume();
      await finished(stream);
    });
  }

  run(text: string, { signal, settings }: ClickHouseOptions): Promise<void> {
    return this.#send(signal, async (client) => {
      await client.command({
        query: text,
        abort_signal: signal,
        clickhouse_settings: { wait_end_of_query: 1, ...settings },
      });
    });
  }

  async close(): Promise<void> {
    await (await this.#client)?.close();
  }

  async #send(signal: AbortSignal, request: (client: ClickHouseClient) => Promise<void>): Promise<void> {
    try {
      signal.throwIfAborted();
      await request(await this.#open());
    } catch (error) {
      throw faultOf(error, signal);
    }
  }

  #open(): Promise<ClickHouseClient> {
    return (this.#client ??= this.#connect());
  }

  async #connect(): Promise<ClickHouseClient> {
    const { ClickHouseLogLevel, createClient } = await import('@clickhouse/client');
    return createClient({
      ...this.address,
      application: 'gatehouse',
      request_timeout: REQUEST_TIMEOUT_MS,
      max_open_connections: MAX_CONNECTIONS,
      log: { level: ClickHouseLogLevel.OFF },
    });
  }
}

/**
 * Converts an error to the signal's reason or to a ClickHouseFault. An error of the server keeps only its name and
 * number, because its message may quote data.
 */
function faultOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  const { code, type, message } = error as Error & { readonly code?: string; readonly type?: string };
  if (code === undefined || !/^\d+$/.test(code))
    return new ClickHouseFault(code ?? message, undefined, { cause: error });
  return new ClickHouseFault(`${type ?? 'error'} (${code})`, Number(code));
}
