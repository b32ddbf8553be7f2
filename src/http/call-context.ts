import type { Request, Response } from 'express';
import type { CallerPlace } from '../kernel/caller-place.js';
import type { Principal } from '../kernel/principal.js';
import { redact } from '../kernel/redact.js';
import { placeOf } from './called-from.decorator.js';
import { callerSignal } from './caller-signal.js';

const LONGEST = 200;

/** Everything about an inference call that is not its body; read from the request, without a decorator for each, because Nest takes each of those through its pipes. */
export class CallContext {
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
  /** The calling application as it names itself by X-Title, which OpenRouter clients send. */
  readonly app: string | undefined;
  /** Its site, by HTTP-Referer or Origin. */
  readonly origin: string | undefined;

  constructor(
    private readonly request: Request,
    private readonly response: Response,
    readonly caller: Principal,
    /** The end user's tracking id. */
    readonly user: string | undefined,
  ) {
    const { headers } = request;
    // Node remembers an address that was asked for in time; of a caller that has left it knows none.
    void request.socket.remoteAddress;
    this.signal = callerSignal(response);
    this.app = plain(headers['x-title'] ?? headers['x-openrouter-title']);
    this.origin = plain(headers['http-referer'] ?? headers.referer ?? headers.origin);
  }

  /** Where the call came from; worked out when it is asked for, which few calls do. */
  get place(): CallerPlace {
    return placeOf(this.request, this.response);
  }
}

function plain(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  // A careless page leaves a token in its address: it is no part of the origin that the usage records keep.
  return text ? redact(text).slice(0, LONGEST) : undefined;
}
