import type { Books } from '../support/money/count-the-money.js';
import { RandomNumbers } from '../support/random-numbers.js';
import type { VendorFault } from '../support/vendors/scripted-vendor.js';
import { errorLines } from './error-lines.js';
import { Findings } from './findings.js';
import type { FuzzRequest } from './requests/fuzz-request.js';
import type { FuzzStage } from './fuzz-stage.js';
import { KnownThings } from './known-things.js';
import { learn } from './learn.js';
import { inMib, MemoryWatch } from './memory-watch.js';
import { RequestMaker } from './requests/request-maker.js';
import { ResponseJudge } from './response-judge.js';
import { Sender } from './sender.js';
import { moneyFaults, settledBooks } from './settled-books.js';
import { StallWatch } from './stall-watch.js';

const WORKERS = 8;
/** At a checkpoint all workers pause, so that memory can be sampled and stalls confirmed. */
const MAX_CHECKPOINTS = 64;
const MIN_REQUESTS_BETWEEN_CHECKPOINTS = 500;
/** The maximum length of the printed output of a service that ended. */
const MAX_LAST_WORDS = 4_000;
/** The share of calls that get a fault of the vendor. */
const VENDOR_FAULT_SHARE = 1 / 30;
const VENDOR_FAULTS: readonly VendorFault[] = [
  ...[400, 401, 403, 404, 413, 422, 429, 500, 502, 503, 504, 524, 529].map((status): VendorFault => ({
    kind: 'status',
    status,
  })),
  { kind: 'body', body: '' },
  { kind: 'body', body: '{"error":{"message":"inside"}}' },
  { kind: 'body', body: 'x', contentType: 'text/plain' },
  { kind: 'reset' },
  { kind: 'cut', share: 0.4 },
  { kind: 'slow', pauseMs: 5 },
];

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  readonly print: (text: string) => void;
  /** Ends the run early. The responses received until then are judged and included in the summary. */
  readonly signal?: AbortSignal;
}

export interface FuzzResult {
  readonly requests: number;
  readonly seconds: number;
  readonly findings: readonly string[];
  /** The number of responses by status; 0 = no response. */
  readonly statuses: ReadonlyMap<number, number>;
  /** The number of 2xx responses of each operation in the OpenAPI document, by method and path template. */
  readonly succeeded: ReadonlyMap<string, number>;
  readonly stalls: { readonly longestMs: number; readonly longestAloneMs: number; readonly windows: number };
  readonly memory: MemoryWatch;
  readonly books: Books;
}

/** Sends `requests` requests, judges every response, and at the end checks that the sums in the ledger agree. */
export async function runFuzz(stage: FuzzStage, { requests, seed, print, signal }: FuzzOptions): Promise<FuzzResult> {
  const started = performance.now();
  const findings = new Findings(seed, print);
  const judge = new ResponseJudge(stage.check, stage.secrets);
  const sender = new Sender(stage.service.origin, WORKERS * 2);
  const stalls = new StallWatch(stage.service, sender);
  const memory = new MemoryWatch();
  const statuses = new Map<number, number>();
  const succeeded = new Map<string, number>(
    stage.check.routes.map(({ method, path }) => [`${method.toUpperCase()} ${path}`, 0]),
  );
  const seeds = new RandomNumbers(seed);
  const workers = Array.from({ length: WORKERS }, (_, at) =>
    newWorker(stage, at, Math.floor(seeds.next() * 4_294_967_296)),
  );

  let isRunning = true;
  let isAlive = true;
  const isGoing = (): boolean => isAlive && signal?.aborted !== true;
  void stage.service.exited.then((code) => {
    isAlive = false;
    stalls.stop();
    if (isRunning)
      findings.addGeneral(`the service ended, with the code ${code}: ${stage.service.output().slice(-MAX_LAST_WORDS)}`);
  });

  let cuts = 0;

  async function one(worker: Worker): Promise<void> {
    const request = worker.maker.make(worker.sent++ * WORKERS + worker.at);
    if (
      worker.faults.chance(VENDOR_FAULT_SHARE) &&
      /\/(images|audio|chat|messages|responses|completions|embeddings|rerank)/.test(request.path)
    )
      stage.vendor.script(worker.faults.pick(VENDOR_FAULTS));
    stalls.begin(request);
    const response = await sender.send(request);
    stalls.end(request);
    count(statuses, response instanceof Error ? 0 : response.status);
    if (response instanceof Error) return findings.add('no response', request, response);
    if (response.isCut) {
      // Audio is relayed as it arrives, so a response may be cut only where the vendor cut it.
      const isVendors = request.path.endsWith('/audio/speech') && ++cuts <= stage.vendor.cuts;
      if (!isVendors) findings.add('a response was cut', request, response);
      return;
    }
    for (const fault of judge.faultsOf(request, response)) findings.add(fault, request, response);
    const route = stage.check.routeOf(request.method, request.path);
    if (route && response.status < 300) count(succeeded, `${request.method} ${route.path}`);
    if (response.status === 200 && response.headers.has('etag')) memory.keeps(request.path, response.body.length);
    learn(worker.known, request, response);
  }

  async function checkpoint(): Promise<void> {
    stage.vendor.seen.length = 0;
    for (const { request, ms } of await stalls.judge(() => memory.sample(stage.service)))
      addStall(findings, request, ms);
    const sent = workers.reduce((sum, worker) => sum + worker.sent, 0);
    const seconds = (performance.now() - started) / 1_000;
    const used = memory.samples.at(-1)!;
    print(
      [
        `${sent} of ${requests} requests`,
        `${Math.round(sent / seconds)}/s`,
        `${findings.count} findings`,
        `longest stall ${Math.round(stalls.longestMs)} ms`,
        `${inMib(used.used)} MiB in use, ${inMib(used.rss)} resident`,
      ].join(', '),
    );
  }

  const parts = Math.max(1, Math.min(MAX_CHECKPOINTS, Math.floor(requests / MIN_REQUESTS_BETWEEN_CHECKPOINTS)));
  for (let part = 1; part <= parts; part++) {
    await Promise.all(
      workers.map(async (worker) => {
        const until = Math.ceil((Math.floor((requests * part) / parts) - worker.at) / WORKERS);
        while (isGoing() && worker.sent < until) await one(worker);
      }),
    );
    if (isGoing()) await checkpoint();
  }
  isRunning = false;
  stalls.stop();
  await sender.close();

  const sent = workers.reduce((sum, worker) => sum + worker.sent, 0);
  for (const fault of memory.faults(sent)) findings.addGeneral(fault);
  const books = await settledBooks(stage.sql);
  for (const fault of moneyFaults(books)) findings.addGeneral(fault);
  for (const line of errorLines(stage.service.output())) findings.addGeneral(`the service logged an error: ${line}`);
  return {
    requests: sent,
    seconds: (performance.now() - started) / 1_000,
    findings: findings.lines,
    statuses,
    succeeded,
    stalls: { longestMs: stalls.longestMs, longestAloneMs: stalls.longestAloneMs, windows: stalls.suspiciousWindows },
    memory,
    books,
  };
}

interface Worker {
  readonly at: number;
  readonly known: KnownThings;
  readonly maker: RequestMaker;
  /** Random numbers for the vendor's faults, independent of the requests. */
  readonly faults: RandomNumbers;
  sent: number;
}

function newWorker(stage: FuzzStage, at: number, seed: number): Worker {
  const known = new KnownThings();
  for (const [kind, account, id] of stage.things) known.add(kind, account, id);
  return {
    at,
    known,
    maker: new RequestMaker(stage.document, seed, stage.keys, known),
    faults: new RandomNumbers(seed ^ 0x5bd1e995),
    sent: 0,
  };
}

function addStall(findings: Findings, request: FuzzRequest, ms: number): void {
  findings.add(
    `held the event loop for ${Math.round(ms / 10) * 10} ms`,
    request,
    new Error('the request was sent again alone, five times'),
  );
}

const count = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
