import { ACCESS_MATRIX, COLUMNS } from '../../support/api/access-matrix.data.js';
import { judgeChatStream } from '../../support/calls/chat-stream-judge.js';
import { rawHttp } from '../../support/hostile/raw-http.js';
import { leastStall, stallLimitMs } from '../../support/services/stall-limit.js';
import { errorLines } from '../error-lines.js';
import { bytesOf, type FuzzKey, type FuzzRequest, type FuzzResponse } from '../requests/fuzz-request.js';
import { PENNILESS_KEY, type FuzzStage } from '../fuzz-stage.js';
import { inMib, MemoryWatch } from '../memory-watch.js';
import { ResponseJudge } from '../response-judge.js';
import { Sender } from '../sender.js';
import { moneyFaults, settledBooks } from '../settled-books.js';
import { nameOfRoute } from '../specification-statuses.js';
import type { KeptRequest } from './kept-request.js';
import { filledPath, makeKeptThings, type KeptThings } from './kept-things.js';

const MAX_GROWTH_MIB = 64;
const INFERENCE = /^\/api\/v1\/(images|audio|chat|messages|responses|completions|embeddings|rerank)\b/;
const STANDARD = COLUMNS.indexOf('standard');
const OF_MANAGEMENT = new Set(
  ACCESS_MATRIX.filter(([, statuses]) => [401, 403].includes(statuses[STANDARD]!)).map(([route]) => route),
);
const NO_KEY: FuzzKey = { name: 'no key', header: undefined, account: undefined, column: undefined };

/** Sends kept requests one by one and judges each response, like the fuzz. */
export class KeptJudge {
  readonly #sender: Sender;
  readonly #judge: ResponseJudge;
  readonly #memory = new MemoryWatch();

  private constructor(
    private readonly stage: FuzzStage,
    private readonly things: KeptThings,
  ) {
    this.#sender = new Sender(stage.service.origin, 2);
    this.#judge = new ResponseJudge(stage.check, stage.secrets);
  }

  static async open(stage: FuzzStage): Promise<KeptJudge> {
    const judge = new KeptJudge(stage, await makeKeptThings(stage));
    await judge.#memory.sample(stage.service);
    return judge;
  }

  /** A judge with the same resources for another stage, for example with an injected fault. */
  before(stage: FuzzStage): KeptJudge {
    return new KeptJudge(stage, this.things);
  }

  async faultsOf(kept: KeptRequest): Promise<string[]> {
    const { service, vendor } = this.stage;
    const request = this.#requestOf(kept);
    let response!: FuzzResponse | Error;
    vendor.seen.length = 0;
    const stall = await leastStall(service, bytesOf(request), async () => {
      if (kept.vendor) vendor.script(kept.vendor);
      response = kept.raw === undefined ? await this.#sender.send(request) : await this.#rawly(kept.raw);
    });
    const faults =
      response instanceof Error ? [`no response: ${response.message}`] : this.#judged(kept, request, response);
    if (stall > stallLimitMs(bytesOf(request)))
      faults.push(`held the event loop for ${Math.round(stall)} ms, ${bytesOf(request)} bytes`);
    return faults.map((fault) => `${kept.name}: ${fault}`);
  }

  #judged(kept: KeptRequest, request: FuzzRequest, response: FuzzResponse): string[] {
    const { status, headers, body } = response;
    if (status === 200 && headers.has('etag')) this.#memory.keeps(request.path, body.length);
    const faults = response.isCut ? ['the response was cut'] : this.#judge.faultsOf(request, response);
    if (kept.status !== undefined && status !== kept.status) faults.push(`status ${status} instead of ${kept.status}`);
    if (kept.holds && !kept.holds.test(body.toString())) faults.push(`the response does not contain ${kept.holds}`);
    if (
      status === 200 &&
      kept.path === '/api/v1/chat/completions' &&
      /event-stream/.test(headers.get('content-type')!)
    ) {
      const { faults: ofStream, error } = judgeChatStream(body);
      faults.push(...ofStream, ...(error ? [`an error chunk: ${error.message}`] : []));
    }
    if (!kept.isPaid && this.stage.vendor.seen.length > 0) faults.push('it reached the vendor');
    return faults.map((fault) => (status < 400 ? fault : `${fault}; ${status} ${body.toString().slice(0, 200)}`));
  }

  #requestOf({ method, path, headers, body: make, isPaid, raw }: KeptRequest): FuzzRequest {
    const made = make?.();
    const body = typeof made === 'string' ? Buffer.from(made) : made;
    const key = raw === undefined ? this.#keyOf(method, path, isPaid) : NO_KEY;
    return {
      index: 0,
      method,
      path: filledPath(path, this.things),
      key,
      headers: {
        ...(key.header !== undefined && { authorization: key.header }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body,
      named: [],
      leaves: false,
    };
  }

  #keyOf(method: string, path: string, isPaid = false): FuzzKey {
    const { keys, check } = this.stage;
    const route = check.routeOf(method, filledPath(path, this.things));
    if (route && OF_MANAGEMENT.has(nameOfRoute(route.method, route.path))) return keys.named('management');
    return keys.named(isPaid || method === 'GET' || !INFERENCE.test(path) ? 'standard' : PENNILESS_KEY);
  }

  async #rawly(head: string): Promise<FuzzResponse> {
    const { text, status } = await rawHttp(this.stage.service.origin, head, []);
    const [lines = '', ...rest] = text.split('\r\n\r\n');
    const headers = lines
      .split('\r\n')
      .slice(1)
      .map((line) => /^([^:]+): (.*)$/.exec(line)!.slice(1) as [string, string]);
    return { status, headers: new Headers(headers), body: Buffer.from(rest.join('\r\n\r\n'), 'latin1') };
  }

  /** The faults that all requests together have caused, in the memory, in the books and in the log. */
  async faultsAfterwards(): Promise<string[]> {
    const { service, sql } = this.stage;
    await this.#memory.sample(service);
    const [before, after] = this.#memory.samples;
    const grownMib = inMib(after!.used - before!.used);
    return [
      ...(grownMib < MAX_GROWTH_MIB ? [] : [`memory in use grew by ${grownMib} MiB`]),
      ...moneyFaults(await settledBooks(sql)),
      ...errorLines(service.output()).map((line) => `the service logged an error: ${line}`),
    ];
  }

  close(): Promise<void> {
    return this.#sender.close();
  }
}
