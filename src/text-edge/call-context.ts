import type { Request, Response } from 'express';
import type { CacheUse } from '../kernel/cache-use.js';
import type { CallFacts } from '../kernel/call-facts.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import type { Principal } from '../kernel/principal.js';
import { callerFacts, callerLabels, type CallerLabels } from '../http/edge/caller-facts.js';
import { callerSignal } from '../http/edge/caller-signal.js';
import { placeOf } from '../http/edge/called-from.decorator.js';
import { cacheUseOf } from './response-cache-headers.js';

/** The members of a body that name the end user and the conversation. */
export interface CallMembers {
  readonly user?: string | null;
  /** Comes before the header. */
  readonly session_id?: string | null;
}

type CallerRequest = Request & { readonly principal?: Principal };

/**
 * Everything about an inference call except its body. It is read from the request instead of by parameter decorators,
 * because Nest runs its pipes for each of those.
 */
export class CallContext implements CallerLabels {
  readonly caller: Principal;
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
  readonly facts: CallFacts;
  /** The end user's tracking id. */
  readonly user: string | undefined;
  readonly app: string | undefined;
  readonly origin: string | undefined;
  /** Absent = the call does not use the response cache. */
  readonly cache: CacheUse | undefined;

  /**
   * `media`: generated pictures and speech are labelled with the calling application, and are not cached. Throws
   * invalid_request for wrong headers of the response cache.
   */
  constructor(
    private readonly request: CallerRequest,
    private readonly response: Response,
    { user, session_id: session }: CallMembers,
    kind: 'text' | 'media' = 'text',
  ) {
    const { headers } = request;
    this.caller = request.principal!;
    this.user = user || undefined;
    // Read now, because Node caches the address: it is undefined once the socket is closed.
    void request.socket.remoteAddress;
    this.signal = callerSignal(response);
    if (kind === 'text') this.cache = cacheUseOf(headers, response, this.caller);
    else ({ app: this.app, origin: this.origin } = callerLabels(headers));
    this.facts = callerFacts(headers, session);
  }

  /** The address and the id of the request; computed on access, because few calls need it. */
  get place(): CallerPlace {
    return placeOf(this.request, this.response);
  }
}
