import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { failSlowBody, isBodyRead } from './slow-body.js';
import { Pace, type PaceRule } from './pace.js';

/**
 * Counters that Node's net module reads from a socket's handle: bytes passed to libuv, and how many of them the
 * kernel has not taken. The public counters include a large write only when all of it is taken.
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

  constructor(private readonly socket: Socket) {}

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#request = request;
    this.#response = response;
  }

  closeAfterResponse(): void {
    if (this.#response?.headersSent === false) this.#response.setHeader('connection', 'close');
  }

  /** The response was sent or its caller left. Drops a complete request, because requests hold their bodies. */
  end(response: ServerResponse): void {
    if (this.#response !== response) return;
    this.#response = undefined;
    if (this.#request!.complete) this.#request = undefined;
  }

  /** Starts both measurements again. */
  rest(): void {
    this.#reading.rest();
    this.#sending.rest();
  }

  /** Ends the connection if its caller is too slow by the rules; returns the direction that was too slow. */
  inspect(now: number, rules: ConnectionRules): 'reader' | 'body' | undefined {
    if (this.#isReaderTooSlow(now, rules.reader)) {
      // After destroy() the kernel would keep its send buffer and continue to send.
      this.socket.resetAndDestroy();
      return 'reader';
    }
    if (this.#isBodyTooSlow(now, rules.body)) {
      this.#sending.rest();
      if (!failSlowBody(this.#request!)) this.socket.destroy();
      return 'body';
    }
    return undefined;
  }

  #isReaderTooSlow(now: number, rule: PaceRule): boolean {
    const handle = (this.socket as Socket & { readonly _handle?: SocketHandle | null })._handle;
    if (this.socket.writableLength === 0 || !handle) {
      this.#reading.rest();
      return false;
    }
    return this.#reading.isTooSlow(handle.bytesWritten - handle.writeQueueSize, now, rule);
  }

  #isBodyTooSlow(now: number, rule: PaceRule): boolean {
    const request = this.#request;
    if (request === undefined || request.complete) {
      if (this.#response === undefined) this.#request = undefined;
      this.#sending.rest();
      return false;
    }
    // While the service does not read the body, the caller is not slow.
    if (request.isPaused() || (this.#response !== undefined && !isBodyRead(request))) {
      this.#sending.rest();
      return false;
    }
    return this.#sending.isTooSlow(this.socket.bytesRead, now, rule);
  }
}
