import { Logger } from '@nestjs/common';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../../config/config.js';
import { Connection, type ConnectionRules } from './connection.js';

/** Inspections of the connections within the shortest limit. */
const INSPECTIONS_PER_LIMIT = 12;
const MIN_INTERVAL_MS = 25;
const MAX_INTERVAL_MS = 5_000;

const CONNECTION = Symbol('connection');
type Tracked = Socket & { [CONNECTION]?: Connection };

/**
 * Tracks the connections of callers and the requests under way, and disconnects callers who neither read their response
 * nor send their body: they would hold a vendor's connection and a reservation for ever. One timer inspects all
 * connections, because a timer per request would slow every request.
 */
export class CallerConnections {
  readonly #log = new Logger('http');
  readonly #open = new Set<Connection>();
  #underWay = 0;
  #isClosing = false;
  #rules: ConnectionRules;
  #timer: NodeJS.Timeout | undefined;
  #inspectedAt = 0;

  constructor(
    server: Server,
    private readonly config: Config,
  ) {
    this.#rules = rulesOf(config);
    server.on('connection', (socket: Tracked) => this.#track(socket));
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#begin(request, response),
    );
    this.#restartTimer();
  }

  /** Requests whose response has not ended. */
  get underWay(): number {
    return this.#underWay;
  }

  /** From now on every response whose head was not sent closes its connection. */
  closeAfterResponses(): void {
    this.#isClosing = true;
    for (const connection of this.#open) connection.closeAfterResponse();
  }

  /** From now on callers without progress are disconnected soon. */
  limitStalls(): void {
    this.#rules = rulesOf(this.config, this.config.values.SHUTDOWN_STALL_TIMEOUT_MS);
    this.#restartTimer();
  }

  /** No more connections are inspected. Not at the server's `close`: other listeners may have connections then. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #track(socket: Tracked): void {
    const connection = new Connection(socket);
    socket[CONNECTION] = connection;
    this.#open.add(connection);
    socket.once('close', () => this.#open.delete(connection));
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    this.#underWay++;
    if (this.#isClosing) response.setHeader('connection', 'close');
    const socket: Tracked = request.socket;
    // The connections of interns belong to the egress proxy's server and are known from their first request on.
    if (!socket[CONNECTION]) this.#track(socket);
    socket[CONNECTION]!.begin(request, response);
    response.on('close', this.#ended);
  }

  /** One function for all requests instead of a closure per request. */
  readonly #ended = ((connections: CallerConnections) =>
    function (this: ServerResponse): void {
      connections.#underWay--;
      (this.req.socket as Tracked)[CONNECTION]?.end(this);
    })(this);

  #restartTimer(): void {
    clearInterval(this.#timer);
    const { reader, body } = this.#rules;
    const shortest = Math.min(reader.idleMs, reader.windowMs, body.idleMs);
    const interval = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, shortest / INSPECTIONS_PER_LIMIT));
    this.#timer = setInterval(() => this.#inspect((interval * INSPECTIONS_PER_LIMIT) / 2), interval);
    this.#timer.unref();
    this.#inspectedAt = performance.now();
  }

  #inspect(maxPauseMs: number): void {
    const now = performance.now();
    const hasStalled = now - this.#inspectedAt > maxPauseMs;
    this.#inspectedAt = now;
    // While the service itself stood still, it sent and read nothing: that is not the callers' doing.
    if (hasStalled) return this.#open.forEach((connection) => connection.rest());
    const ended = { reader: 0, body: 0 };
    for (const connection of this.#open) {
      const slow = connection.inspect(now, this.#rules);
      if (slow) ended[slow]++;
    }
    if (ended.reader > 0)
      this.#log.warn(`Cut off ${ended.reader} callers who did not read their responses, or too slowly`);
    if (ended.body > 0) this.#log.warn(`Gave up ${ended.body} request bodies that arrived too slowly, or not at all`);
  }
}

/** `maxMs`: an upper bound for every limit. */
function rulesOf({ values }: Config, maxMs = Infinity): ConnectionRules {
  const windowMs = Math.min(values.READER_RATE_WINDOW_MS, maxMs);
  const rate = { bytesPerSecond: values.READER_MIN_BYTES_PER_SECOND, windowMs };
  return {
    reader: { ...rate, idleMs: Math.min(values.READER_IDLE_TIMEOUT_MS, maxMs) },
    body: { ...rate, idleMs: windowMs },
  };
}
