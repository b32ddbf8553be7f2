import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { failSlowBody, isBodyRead } from './slow-body.js';
import { Pace, type PaceRule } from './pace.js';

/**
 * The counters of a socket's handle, which Node's net module reads: the bytes that were passed to libuv, and the number
 * of these bytes that the kernel has not accepted. Node's public counters include a large write only after the kernel
 * has accepted all of it.
 */
interface SocketHandle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** The rules for the two directions: `reader` for callers that read a response, `body` for callers that send a body. */
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
  /** The time at which the last response ended, or at which the connection was opened. */
  #idleSince = performance.now();
  /** The number of bytes that had been received at `#idleSince`. */
  #idleBytes = 0;

  /** `isOwn`: the service's HTTP server accepted the connection. Otherwise it belongs to the egress proxy. */
  constructor(
    private readonly socket: Socket,
    private readonly isOwn: boolean,
  ) {}

  /**
   * The milliseconds since the connection became idle. Undefined if it has a request, if a request is arriving, or if
   * it belongs to the egress proxy.
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
   * Call it when the response was sent or the caller disconnected. Drops the reference to a request that was received
   * completely, because a request keeps its body in memory.
   */
  end(response: ServerResponse): void {
    if (this.#response !== response) return;
    this.#response = undefined;
    this.#idleSince = performance.now();
    this.#idleBytes = this.socket.bytesRead;
    if (this.#request!.complete) this.#request = undefined;
  }

  restartMeasurements(): void {
    this.#reading.pause();
    this.#sending.pause();
  }

  /**
   * Ends the connection if its caller reads too slowly. If a body arrives too slowly, aborts the reading of the body,
   * or ends the connection if the body is not being read. Returns the direction that was too slow; undefined if none
   * was.
   */
  inspect(now: number, rules: ConnectionRules): 'reader' | 'body' | undefined {
    if (this.#isReaderTooSlow(now, rules.reader)) {
      // Reset the connection, because after destroy() the kernel would keep its send buffer and continue to send.
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
