/**
 * Compares the CPU per request of GET /models with a plain node:http server that sends the same bytes, in paired rounds
 * on one machine: the whole list, and a list with three filters, compressed and not, at 32 connections. Then the same
 * with a catalogue of 30,000 models, and the cost of a response that is not cached.
 *
 * npm run build && npm run bench:models
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readOptions } from './read-options.js';
import { freePort } from '../test/support/services/free-port.js';

const CONNECTIONS = 32;
const options = readOptions(
  'Compares GET /models with a bare node:http server that sends the same bytes. Build first: npm run build.',
  {
    rounds: { default: '9', what: 'pairs of rounds' },
    sizes: { default: '3000,30000', what: 'sizes of catalogues to measure after the shipped one; 0 = none' },
  },
);
const ROUNDS = Number(options.rounds);
const SIZES = options.sizes
  .split(',')
  .map(Number)
  .filter((size) => size > 0);
const KEY = 'bench-standard-key-0123456789abcdef01234';
const THREE_FILTERS = '?supported_parameters=tools&max_price=5&context=100000';

interface Target {
  readonly process: ChildProcess;
  readonly port: number;
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
const environment = { ...process.env, DATA_DIR: folder, LOG_LEVEL: 'error', BOOTSTRAP_API_KEY: KEY };
const started: ChildProcess[] = [];

async function start(args: readonly string[], extra: Readonly<Record<string, string>>, ready: string): Promise<Target> {
  const port = await freePort();
  const child = spawn(process.execPath, args, {
    env: { ...environment, PORT: String(port), ...extra },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  started.push(child);
  for (let tries = 0; tries < 600; tries++) {
    if (
      await fetch(`http://127.0.0.1:${port}${ready}`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return { process: child, port };
    await sleep(100);
  }
  throw new Error(`${args.join(' ')} did not become ready`);
}

const BARE = `
  const { readFileSync } = require('node:fs');
  const { body, headers } = JSON.parse(readFileSync(process.env.ANSWER, 'utf8'));
  const bytes = Buffer.from(body, 'base64');
  const { createServer } = require('node:http');
  const server = createServer((request, response) => { response.writeHead(200, headers); response.end(bytes); });
  server.listen(Number(process.env.PORT), '127.0.0.1');
`;

interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly bytes: Buffer;
}

function ask(agent: Agent, port: number, path: string, encoding: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(
      {
        agent,
        port,
        host: '127.0.0.1',
        path,
        headers: { authorization: `Bearer ${KEY}`, 'accept-encoding': encoding },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
        );
        response.on('error', reject);
      },
    ).on('error', reject);
  });
}

/** CPU seconds of all threads of a process. Reads the scheduler's counter, which has nanoseconds; `stat` has ticks. */
function cpuOf({ pid }: ChildProcess): number {
  return (
    readdirSync(`/proc/${pid}/task`).reduce(
      (sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
      0,
    ) / 1e9
  );
}

/** CPU microseconds per request. */
async function measure(
  target: Target,
  path: (at: number) => string,
  encoding: string,
  requests: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let sent = 0;
  const connection = async (): Promise<void> => {
    while (sent < requests) {
      const { status } = await ask(agent, target.port, path(sent++), encoding);
      if (status !== 200) throw new Error(`answered ${status}`);
    }
  };
  const before = cpuOf(target.process);
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  const used = cpuOf(target.process) - before;
  agent.destroy();
  return (used / requests) * 1e6;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Alternates the rounds, so that noise of the machine affects both servers. */
async function compare(name: string, service: Target, path: string, encoding: string, requests: number): Promise<void> {
  const { headers, bytes } = await ask(new Agent(), service.port, path, encoding);
  const file = join(folder, 'answer.json');
  const kept = Object.fromEntries(
    Object.entries(headers).filter(([key]) => !['date', 'connection', 'keep-alive', 'x-request-id'].includes(key)),
  );
  writeFileSync(file, JSON.stringify({ body: bytes.toString('base64'), headers: kept }));
  const bare = await start(['-e', BARE], { ANSWER: file }, '/');
  // Warm up first, so that both servers have compiled their hot paths.
  await measure(service, () => path, encoding, requests * 2);
  await measure(bare, () => path, encoding, requests * 2);
  const pairs: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const first = await measure(round % 2 === 0 ? bare : service, () => path, encoding, requests);
    const second = await measure(round % 2 === 0 ? service : bare, () => path, encoding, requests);
    pairs.push(round % 2 === 0 ? [first, second] : [second, first]);
  }
  bare.process.kill();
  const [plain, ours] = [pairs.map(([first]) => first), pairs.map(([, second]) => second)];
  // Other work on the machine only adds time, so the minimum is the least disturbed value.
  const least = Math.min(...ours) / Math.min(...plain);
  console.log(
    `${name.padEnd(44)} ${String(bytes.length).padStart(9)} bytes  ` +
      `bare ${median(plain).toFixed(0).padStart(5)} µs  ours ${median(ours).toFixed(0).padStart(5)} µs  ` +
      `ratio ${median(pairs.map(([a, b]) => b / a)).toFixed(2)}, ratio of the minima ${least.toFixed(2)}`,
  );
}

const imported = (count: number): string =>
  JSON.stringify({
    data: Array.from({ length: count }, (_, at) => ({
      id: `bench-${at % 97}/model-${at}`,
      name: `Model ${at}`,
      created: 1_600_000_000 + at * 3000,
      description:
        `Model ${at} accepts text and generates text. Its context has ${1000 * (at % 300)} tokens. It is here to be ` +
        `filtered and sorted beside many others.`,
      context_length: 1000 * (at % 300),
      architecture: {
        input_modalities: ['text'],
        output_modalities: ['text'],
        tokenizer: 'Other',
        instruct_type: null,
      },
      pricing: { prompt: String((at % 500) / 1e7), completion: String((at % 700) / 1e7) },
      top_provider: { max_completion_tokens: 8000, is_moderated: false },
      supported_parameters: at % 3 ? ['tools', 'temperature'] : ['temperature'],
    })),
  });

/** A response that is not in the cache: filtering, concatenating and hashing. */
async function unprepared(name: string, service: Target, requests: number): Promise<void> {
  // Each request has a different max_price. The difference is too small to change the result.
  const bound = (at: number): string => `5.${String(process.hrtime.bigint())}${at}`;
  const pathOf = (at: number): string =>
    `/api/v1/models?supported_parameters=tools&max_price=${bound(at)}&context=100000&limit=20`;
  const micros = await measure(service, pathOf, 'identity', requests);
  console.log(`${name.padEnd(46)} ${micros.toFixed(0).padStart(37)} µs`);
}

try {
  const service = await start(['--disable-sigusr1', '--max-semi-space-size=32', 'dist/main.js'], {}, '/readyz');
  console.log(`Node ${process.version}, ${CONNECTIONS} connections, median of ${ROUNDS} paired rounds`);
  // Warm up: the service has just started, and the first measurement would include all compilation.
  await measure(service, () => '/api/v1/models', 'gzip', 20_000);
  for (const encoding of ['identity', 'gzip', 'br']) {
    await compare(`whole list, ${encoding}`, service, '/api/v1/models?output_modalities=all', encoding, 3000);
    await compare(`three filters, ${encoding}`, service, `/api/v1/models${THREE_FILTERS}`, encoding, 3000);
  }
  await unprepared('three filters, 20 of them, unprepared', service, 2000);
  for (const count of SIZES) {
    const file = join(folder, 'models.json');
    writeFileSync(file, imported(count));
    execFileSync(process.execPath, ['dist/operator/main.js', 'catalogue', 'import', file, '--replace', '--json'], {
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
      maxBuffer: 1e9,
    });
    for (let total = 0; total < count; await sleep(200))
      total = JSON.parse((await ask(new Agent(), service.port, '/api/v1/models/count', 'identity')).bytes.toString())
        .data.count;
    await compare(
      `${count} models, whole list, identity`,
      service,
      '/api/v1/models',
      'identity',
      count > 3000 ? 64 : 500,
    );
    await compare(`${count} models, whole list, gzip`, service, '/api/v1/models', 'gzip', count > 3000 ? 200 : 1500);
    await compare(
      `${count} models, three filters, 20 of them`,
      service,
      `/api/v1/models${THREE_FILTERS}&limit=20`,
      'gzip',
      3000,
    );
    await unprepared(`${count} models, three filters, unprepared`, service, 500);
  }
} finally {
  const ended = started
    .filter((child) => child.exitCode === null && child.signalCode === null)
    .map((child) => new Promise((resolve) => child.once('exit', resolve)));
  for (const child of started) child.kill();
  await Promise.all(ended);
  rmSync(folder, { recursive: true, force: true });
}
