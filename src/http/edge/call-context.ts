import type { Request, Response } from 'express';
import type { CallFacts } from '../../kernel/call-facts.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import type { Principal } from '../../kernel/principal.js';
import { redact } from '../../kernel/text/redact.js';
import { placeOf } from './called-from.decorator.js';
import { callerFacts } from './caller-facts.js';
import { callerSignal } from './caller-signal.js';

const MAX_CHARACTERS = 200;
/** More than is kept, so that a secret that begins within the kept part is masked. */
const MAX_READ_LENGTH = 1_024;

/**
 * Everything about an inference call except its body. It is read from the request instead of by parameter decorators,
 * because Nest runs its pipes for each of those.
 */
export class CallContext {
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
  /** The name of the calling application from X-Title, which OpenRouter clients send. */
  readonly app: string | undefined;
  /** The application's site, from HTTP-Referer, Referer or Origin. */
  readonly origin: string | undefined;
  readonly facts: CallFacts;
  /** The end user's tracking id. */
  readonly user: string | undefined;

  constructor(
    private readonly request: Request,
    private readonly response: Response,
    readonly caller: Principal,
    user: string | undefined,
  ) {
    this.user = user || undefined;
    const { headers } = request;
    // Read now, because Node caches the address: it is undefined once the socket is closed.
    void request.socket.remoteAddress;
    this.signal = callerSignal(response);
    this.app = plain(headers['x-title'] ?? headers['x-openrouter-title']);
    this.origin = plain(headers['http-referer'] ?? headers.referer ?? headers.origin);
    this.facts = callerFacts(headers);
  }

  /** The address and the id of the request; computed on access, because few calls need it. */
  get place(): CallerPlace {
    return placeOf(this.request, this.response);
  }
}

function plain(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  // The URL of a page may hold a token: redact it before the usage records keep it.
  return text ? redact(text.slice(0, MAX_READ_LENGTH)).slice(0, MAX_CHARACTERS) : undefined;
}
