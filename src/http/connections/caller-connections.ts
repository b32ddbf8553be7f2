import { Logger } from '@nestjs/common';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../../config/config.js';
import { Connection, type ConnectionRules } from './connection.js';

/** How often the connections are inspected within the shortest time limit. */
const INSPECTIONS_PER_LIMIT = 12;
const MIN_INTERVAL_MS = 25;
const MAX_INTERVAL_MS = 5_000;

const CONNECTION = Symbol('connection');
type Tracked = Socket & { [CONNECTION]?: Connection };

/**
 * Tracks the connections of callers and their open requests. Disconnects callers that read their response too slowly,
 * and refuses bodies that arrive too slowly, because such callers would occupy a vendor's connection and a reservation
 * forever. One timer inspects all connections, because a timer per request would slow every request.
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
    server.on('connection', (socket: Tracked) => this.#track(socket, true));
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#begin(request, response),
    );
    this.#restartTimer();
  }

  /** Number of requests whose response has not ended. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Makes every response close its connection, from now on, unless its head was already sent. */
  closeAfterResponses(): void {
    this.#isClosing = true;
    for (const connection of this.#open) connection.closeAfterResponse();
  }

  /**
   * Closes the connections that have been idle for at least this time, and returns the number of the other idle
   * connections. A proxy may send a request on an idle connection at any moment until one side closes the connection.
   */
  closeIdle(minIdleMs: number): number {
    const now = performance.now();
    let left = 0;
    for (const connection of this.#open) {
      const idleMs = connection.idleMs(now);
      if (idleMs === undefined) continue;
      if (idleMs >= minIdleMs) connection.close();
      else left++;
    }
    return left;
  }

  /** From now on, callers without progress are disconnected after a short time. */
  limitStalls(): void {
    this.#rules = rulesOf(this.config, this.config.values.SHUTDOWN_STALL_TIMEOUT_MS);
    this.#restartTimer();
  }

  /**
   * Stops inspecting connections. Not called on the server's `close` event, because other listeners may still have
   * connections.
   */
  stop(): void {
    clearInterval(this.#timer);
  }

  #track(socket: Tracked, isOwn: boolean): void {
    const connection = new Connection(socket, isOwn);
    socket[CONNECTION] = connection;
    this.#open.add(connection);
    socket.once('close', () => this.#open.delete(connection));
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    this.#underWay++;
    if (this.#isClosing) response.setHeader('connection', 'close');
    const socket: Tracked = request.socket;
    // Connections of interns belong to the server of the egress proxy. They are tracked from their first request.
    if (!socket[CONNECTION]) this.#track(socket, false);
    socket[CONNECTION]!.begin(request, response);
    response.on('close', this.#ended);
  }

  /** One listener for all responses, instead of a closure for each response. */
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
    // While the service itself was stalled, callers could neither send nor receive, so restart the measurements.
    if (hasStalled) return this.#open.forEach((connection) => connection.restartMeasurements());
    const ended = { reader: 0, body: 0 };
    for (const connection of this.#open) {
      const slow = connection.inspect(now, this.#rules);
      if (slow) ended[slow]++;
    }
    if (ended.reader > 0)
      this.#log.warn(`Disconnected ${ended.reader} callers that read their responses too slowly or not at all`);
    if (ended.body > 0) this.#log.warn(`Refused ${ended.body} request bodies that arrived too slowly or not at all`);
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
