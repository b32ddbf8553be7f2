// A process that runs ClickHouse's engine behind the part of its HTTP interface that the service uses. Its argument is
// the data folder. It sends its port to its parent.
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { readClickHouseRequest, refusal, type ClickHouseRequest } from './clickhouse-request.js';

/** The native binding of the engine, because the package `chdb` accepts parameters as values and not as text. */
interface Engine {
  CreateConnection(folder: string): unknown;
  QueryAsyncConnection(
    connection: unknown,
    text: string,
    format: string,
    parameters?: Readonly<Record<string, string>>,
  ): Promise<{ readonly bytes?: Uint8Array; readonly buffer?: Uint8Array } | Uint8Array>;
  InsertRawAsyncConnection(connection: unknown, prefix: string, data: Buffer, countLines: boolean): Promise<unknown>;
}

const requireOfChdb = createRequire(createRequire(import.meta.url).resolve('chdb'));
const engine = requireOfChdb(
  process.arch === 'arm64' ? '@chdb/lib-linux-arm64-gnu' : '@chdb/lib-linux-x64-gnu',
) as Engine;
const connection = engine.CreateConnection(process.argv[2]!);

/** Settings of the HTTP interface and of servers with users. The engine does not support them. */
const UNSUPPORTED_SETTINGS = new RegExp(
  '^(database|query_id|session_id|role|readonly|wait_end_of_query|enable_http_compression|' +
    'insert_distributed_sync|(cancel_http|http)_.*)$',
);

/** Calls run one after the other, because the engine has one connection. */
let last: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const next = last.then(work, work);
  last = next.catch(() => undefined);
  return next;
}

async function run({ text, data, parameters, fields }: ClickHouseRequest): Promise<Uint8Array> {
  const settings = fields.filter(([name]) => !UNSUPPORTED_SETTINGS.test(name));
  const list = settings.map(([name, value]) => `${name} = ${/^\d+$/.test(value) ? value : `'${value}'`}`).join(', ');
  const clause = list && ` SETTINGS ${list}`;
  const withSettings = /^\s*(select|with|insert)/i.test(text)
    ? text.replace(/(\s+FORMAT \w+\s*)?$/i, (format) => clause + format)
    : text;
  if (data) {
    await engine.InsertRawAsyncConnection(connection, withSettings.trim(), data, false);
    return new Uint8Array();
  }
  const result = await engine.QueryAsyncConnection(
    connection,
    withSettings,
    'TabSeparated',
    Object.keys(parameters).length > 0 ? parameters : undefined,
  );
  if (result instanceof Uint8Array) return result;
  return result.bytes ?? result.buffer ?? new Uint8Array();
}

const server = createServer((request, response) => {
  readClickHouseRequest(request)
    .then((each) => inTurn(() => run(each)))
    .then(
      (bytes) => response.writeHead(200).end(bytes),
      (error: Error) => {
        const code = /Code: (\d+)/.exec(error.message)?.[1] ?? '1002';
        const message = /DB::Exception/.test(error.message) ? error.message : refusal(code, error.message);
        response.writeHead(500, { 'X-ClickHouse-Exception-Code': code }).end(message);
      },
    );
});
server.listen(Number(process.argv[3] ?? 0), '127.0.0.1', () =>
  process.send!({ port: (server.address() as { port: number }).port }),
);
process.on('disconnect', () => process.exit(0));
