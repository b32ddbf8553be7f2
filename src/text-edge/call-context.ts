import type { Request, Response } from 'express';
import type { CacheUse } from '../kernel/cache-use.js';
import type { CallFacts } from '../kernel/call-facts.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import type { Nano } from '../kernel/money.js';
import type { Principal } from '../kernel/principal.js';
import { callerFacts, callerLabels, type CallerLabels } from '../http/edge/caller-facts.js';
import { callerSignal } from '../http/edge/caller-signal.js';
import { callerPlaceOf } from '../http/edge/called-from.decorator.js';
import type { RemainingRates } from '../rate-limits/remaining-rate.js';
import { callTags, TAGS_HEADER } from './call-tags.js';
import { endUserOf } from './end-user.js';
import { cacheUseOf } from './response-cache-headers.js';
import { SESSION_BUDGET_HEADER, sessionBudget } from './session-budget.js';

/** The members of a body that identify the end user and the conversation. */
export interface CallMembers {
  readonly user?: string | null;
  /** Takes precedence over the header X-Session-Id. */
  readonly session_id?: string | null;
  /** Its member `tags` has the tags of the call. */
  readonly metadata?: object | null;
}

type CallerRequest = Request & { readonly principal?: Principal };

/**
 * The facts about an inference call, except its body. They are read from the request, not by parameter decorators,
 * because Nest runs its pipes for each decorator.
 */
export class CallContext implements CallerLabels {
  readonly caller: Principal;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  readonly facts: CallFacts;
  /** Whether the response names the credential that served the call. */
  readonly namesChannel: boolean;
  /** The end user's tracking id, from the body or otherwise from a header that the key trusts. */
  readonly user: string | undefined;
  readonly tags: readonly string[] | undefined;
  readonly sessionLimit: Nano | undefined;
  readonly app: string | undefined;
  readonly origin: string | undefined;
  /** Absent = the call does not use the response cache. */
  readonly cache: CacheUse | undefined;

  /**
   * `kind`: with `media` (pictures and speech), the labels of the calling application are read, and the response cache
   * is not used. Throws invalid_request for malformed headers of the response cache or the session budget, and for
   * malformed tags.
   */
  constructor(
    private readonly request: CallerRequest,
    private readonly response: Response,
    { user, session_id: session, metadata }: CallMembers,
    kind: 'text' | 'media' = 'text',
  ) {
    const { headers } = request;
    this.caller = request.principal!;
    const { endUserHeaders } = this.caller;
    this.user = user || (endUserHeaders && endUserOf(headers, endUserHeaders));
    this.tags = callTags(metadata, headers[TAGS_HEADER]);
    // Makes Node cache the address. If the first read came after the socket was closed, the address would be undefined.
    void request.socket.remoteAddress;
    this.signal = callerSignal(response);
    if (kind === 'text') this.cache = cacheUseOf(headers, response, this.caller);
    else ({ app: this.app, origin: this.origin } = callerLabels(headers));
    this.namesChannel = headers['x-openrouter-metadata'] === 'enabled' && this.caller.isOperator === true;
    this.facts = callerFacts(headers, session);
    this.sessionLimit = sessionBudget(headers[SESSION_BUDGET_HEADER], this.session);
  }

  get session(): string | undefined {
    return this.facts.sessionId ?? undefined;
  }

  /**
   * Sets the rate-limit headers of the response. If RateLimitGuard has set the number of remaining requests, only a
   * lower number replaces it.
   */
  onRates({ requests, tokens }: RemainingRates): void {
    const { response } = this;
    const present = response.getHeader('x-ratelimit-remaining');
    const headers = {
      ...(requests && (present === undefined || requests.remaining < Number(present)) ? requests.headers : {}),
      ...tokens?.headers,
    };
    if (!response.headersSent) for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  }

  /** The address of the caller and the id of the request. Computed on access, because few calls need them. */
  get place(): CallerPlace {
    return callerPlaceOf(this.request, this.response);
  }
}
