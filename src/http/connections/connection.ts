import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { failSlowBody, isBodyRead } from './slow-body.js';
import { Pace, type PaceRule } from './pace.js';

/**
 * Counters that Node's net module reads from a socket's handle: bytes passed to libuv, and how many of them the kernel
 * has not accepted. The public counters include a large write only after all of it is accepted.
 */
interface SocketHandle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** The rules for the two directions. */
export interface ConnectionRules {
  readonly reader: PaceRule;
  readonly body: PaceRule;
}

/** One connection of a caller, with its latest request. */
export class Connection {
  readonly #reading = new Pace();
  readonly #sending = new Pace();
  #request: IncomingMessage | undefined;
  #response: ServerResponse | undefined;
  /** When the last response ended, or the connection was opened. */
  #idleSince = performance.now();
  /** The bytes that had arrived by then. */
  #idleBytes = 0;

  /** `isOwn`: the service's HTTP server accepted the connection. Otherwise it belongs to the egress proxy. */
  constructor(
    private readonly socket: Socket,
    private readonly isOwn: boolean,
  ) {}

  /**
   * How long the connection has had no request; undefined if it has one, if one is arriving, or if the connection
   * belongs to the egress proxy.
   */
  idleMs(now: number): number | undefined {
    const isIdle = this.isOwn && this.#response === undefined && this.socket.bytesRead === this.#idleBytes;
    return isIdle ? now - this.#idleSince : undefined;
  }

  close(): void {
    this.socket.destroy();
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#request = request;
    this.#response = response;
  }

  closeAfterResponse(): void {
    if (this.#response?.headersSent === false) this.#response.setHeader('connection', 'close');
  }

  /**
   * Call it when the response was sent or the caller disconnected. Drops the reference to a complete request, because
   * requests keep their bodies in memory.
   */
  end(response: ServerResponse): void {
    if (this.#response !== response) return;
    this.#response = undefined;
    this.#idleSince = performance.now();
    this.#idleBytes = this.socket.bytesRead;
    if (this.#request!.complete) this.#request = undefined;
  }

  /** Restarts both measurements. */
  restartMeasurements(): void {
    this.#reading.pause();
    this.#sending.pause();
  }

  /** Ends the connection if its caller is too slow by the rules. Returns the direction that was too slow. */
  inspect(now: number, rules: ConnectionRules): 'reader' | 'body' | undefined {
    if (this.#isReaderTooSlow(now, rules.reader)) {
      // After destroy() the kernel would keep its send buffer and continue to send.
      this.socket.resetAndDestroy();
      return 'reader';
    }
    if (this.#isBodyTooSlow(now, rules.body)) {
      this.#sending.pause();
      if (!failSlowBody(this.#request!)) this.socket.destroy();
      return 'body';
    }
    return undefined;
  }

  #isReaderTooSlow(now: number, rule: PaceRule): boolean {
    const handle = (this.socket as Socket & { readonly _handle?: SocketHandle | null })._handle;
    if (this.socket.writableLength === 0 || !handle) {
      this.#reading.pause();
      return false;
    }
    return this.#reading.isTooSlow(handle.bytesWritten - handle.writeQueueSize, now, rule);
  }

  #isBodyTooSlow(now: number, rule: PaceRule): boolean {
    const request = this.#request;
    if (request === undefined || request.complete) {
      if (this.#response === undefined) this.#request = undefined;
      this.#sending.pause();
      return false;
    }
    // The caller is not slow while the service does not read the body.
    if (request.isPaused() || (this.#response !== undefined && !isBodyRead(request))) {
      this.#sending.pause();
      return false;
    }
    return this.#sending.isTooSlow(this.socket.bytesRead, now, rule);
  }
}
