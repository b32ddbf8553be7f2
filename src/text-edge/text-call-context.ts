import type { Request, Response } from 'express';
import type { CacheUse } from '../kernel/cache-use.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import type { Principal } from '../kernel/principal.js';
import type { CallFacts } from '../kernel/call-facts.js';
import { callerFacts } from '../http/edge/caller-facts.js';
import { cacheUseOf } from './response-cache-headers.js';
import { placeOf } from '../http/edge/called-from.decorator.js';
import { callerSignal } from '../http/edge/caller-signal.js';

/** The members of a body that say who calls, and in which conversation. */
export interface CallMembers {
  readonly user?: string;
  /** Comes before the header. */
  readonly session_id?: string | null;
}

/** Everything about a call of text that is not its body. */
export class TextCallContext {
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
  readonly facts: CallFacts;
  /** Absent = the call does not use the response cache. */
  readonly cache: CacheUse | undefined;
  /** The end user's tracking id. */
  readonly user: string | undefined;

  constructor(
    private readonly request: Request,
    private readonly response: Response,
    readonly caller: Principal,
    { user, session_id: session }: CallMembers,
  ) {
    const { headers } = request;
    this.user = user;
    // Node keeps the address of a socket once it was read; of a caller that has left it knows none.
    void request.socket.remoteAddress;
    this.signal = callerSignal(response);
    this.cache = cacheUseOf(headers, response, caller);
    this.facts = callerFacts(headers, session);
  }

  /** Where the call came from; worked out on demand, which few calls need. */
  get place(): CallerPlace {
    return placeOf(this.request, this.response);
  }
}
