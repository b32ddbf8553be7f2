import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Config } from '../../config/config.js';
import {
  ACCESS,
  ACCESS_METADATA,
  REFUSED_ON_REGIONAL_HOSTS,
  type AccessClass,
  type Verdict,
} from '../../kernel/access/access-matrix.js';
import { bearerToken } from '../../kernel/access/bearer-token.js';
import { PERMISSION_METADATA, type Permission } from '../../kernel/access/permissions.js';
import { rowsOf } from '../../kernel/access/reach.js';
import { Clock } from '../../kernel/clock.js';
import { forbidden, GatewayError, invalidRequest, unauthenticated } from '../../kernel/errors/errors.js';
import { internOfRequest } from '../../kernel/intern-request.js';
import { PerRoute } from '../../kernel/per-route.js';
import type { Principal } from '../../kernel/principal.js';
import { currentRequest } from '../../kernel/request-scope.js';
import { isUndecodable } from '../../kernel/errors/undecodable-path.js';
import type { AuthenticatedRequest } from '../authenticated-request.js';
import { FailedKeys } from '../failed-keys.js';
import { KEY_HEADER_METADATA } from '../key-header.decorator.js';
import { hashOfKey } from '../key-secret.js';
import { KeyUses } from '../key-uses.js';
import type { KnownKey } from '../known-key.js';
import { refuseUnusable } from '../refuse-unusable.js';
import { PresentedKeys } from './presented-keys.js';
import { keyOfSession, sessionWithoutKey } from '../session-keys.js';

const REFUSAL: Record<'unauthenticated' | 'forbidden' | 'not_found', string> = {
  unauthenticated: 'This key may not perform this operation',
  forbidden: 'Only management keys can perform this operation',
  not_found: 'Not found',
};

/** The access classes of routes that need a key. */
type KeyAccess = Exclude<AccessClass, 'public'>;

/** The requirements of a route for the key. */
interface KeyRule {
  readonly accessClass: KeyAccess;
  readonly permission: Permission;
  /** An additional header that may contain the key. */
  readonly keyHeader: string | undefined;
}

type RouteRule = 'public' | KeyRule;

/** Resolves the key and applies the route's access class and permission. Refuses requests to routes without them. */
@Injectable()
export class AccessGuard implements CanActivate {
  readonly #rules: PerRoute<RouteRule | undefined>;

  constructor(
    reflector: Reflector,
    private readonly keys: PresentedKeys,
    private readonly clock: Clock,
    private readonly uses: KeyUses,
    private readonly failed: FailedKeys,
    private readonly config: Config,
  ) {
    this.#rules = new PerRoute((places) => {
      const accessClass = reflector.getAllAndOverride<AccessClass | undefined>(ACCESS_METADATA, places);
      const permission = reflector.getAllAndOverride<Permission | undefined>(PERMISSION_METADATA, places);
      const keyHeader = reflector.getAllAndOverride<string | undefined>(KEY_HEADER_METADATA, places);
      if (accessClass === 'public') return 'public';
      return accessClass && permission && { accessClass, permission, keyHeader };
    });
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rule = this.#rules.of(context);
    if (rule === undefined) throw new GatewayError('internal', 'This route declares no access');
    if (rule === 'public') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const { sessionKeys } = request;
    if (sessionKeys)
      return this.#admitFound(request, this.keys.find(keyOfSession(sessionKeys, rule.accessClass)), rule);
    const secret = keyOf(request, rule.keyHeader);
    const hash = hashOfKey(secret);
    const remembered = this.keys.cached(hash);
    if (remembered) return this.#admit(request, remembered, rule);
    const byToken = this.keys.findByToken(secret, hash);
    if (byToken === null) return this.#admitBySecret(request, hash, rule);
    if (!(byToken instanceof Promise)) return this.#admit(request, byToken, rule);
    return byToken.then((key) => (key ? this.#admit(request, key, rule) : this.#admitBySecret(request, hash, rule)));
  }

  #admitBySecret(request: AuthenticatedRequest, hash: string, rule: KeyRule): boolean | Promise<boolean> {
    if (this.failed.certainlyUnknown(request, hash)) return this.#refuseUnknown(request);
    return this.#admitFound(request, this.keys.find(hash), rule);
  }

  #admitFound(
    request: AuthenticatedRequest,
    known: KnownKey | null | Promise<KnownKey | null>,
    rule: KeyRule,
  ): boolean | Promise<boolean> {
    return known instanceof Promise
      ? known.then((key) => this.#admit(request, key, rule))
      : this.#admit(request, known, rule);
  }

  #admit(request: AuthenticatedRequest, key: KnownKey | null, rule: KeyRule): boolean | Promise<boolean> {
    const { accessClass } = rule;
    if (!key) {
      if (request.sessionKeys) throw sessionWithoutKey(request.sessionKeys, accessClass);
      return this.#refuseUnknown(request);
    }
    // The log also contains the labels of disabled and expired keys and of keys of the wrong class. Unknown keys are
    // not logged, because their text may contain anything.
    const scope = currentRequest();
    if (scope) scope.keyLabel = key.label;
    refuseOtherSource(key.principal, internOfRequest(request));
    const now = this.clock.now();
    refuseUnusable(key, now);
    request.principal = key.principal;
    this.uses.note(key.principal.keyNo, now);
    if (isUndecodable(request)) throw invalidRequest('The path is not correctly URL-encoded');
    this.#refuseRegional(request, key.principal, accessClass);
    refuseUnlessAllowed(key.principal, accessClass);
    request.principal = withinRole(key.principal, rule.permission);
    return true;
  }

  /**
   * Throws a 403 on a regional host if the route is not available there. A key whose class causes a 401 is not refused
   * here, because the 401 takes precedence.
   */
  #refuseRegional(request: AuthenticatedRequest, principal: Principal, accessClass: KeyAccess): void {
    if (!REFUSED_ON_REGIONAL_HOSTS.has(accessClass) || ACCESS[accessClass][principal.keyClass] === 'unauthenticated')
      return;
    if (this.config.values.REGIONAL_HOSTNAMES.includes(hostnameOf(request.headers.host))) throw forbidden('Forbidden');
  }

  async #refuseUnknown(request: AuthenticatedRequest): Promise<never> {
    throw await this.failed.refusal(request);
  }
}

/** The caller, restricted to the rows that the permission covers. Throws a 403 if the permission covers none. */
function withinRole(caller: Principal, permission: Permission): Principal {
  if (caller.role === undefined) return caller;
  const rows = rowsOf(caller, permission);
  if (rows === null) throw forbidden(`The role ${caller.role} does not have the permission ${permission}`);
  return rows === 'all' ? caller : { ...caller, only: rows };
}

/**
 * Throws a 401 for an intern's key in a request that its runtime did not send, and for any other key in a request of a
 * runtime.
 */
function refuseOtherSource({ keyClass, internId }: Principal, sender: string | undefined): void {
  if (sender === undefined ? keyClass === 'intern' : internId !== sender)
    throw unauthenticated("An intern's own key works only inside its runtime, and no other key works there");
}

/** The Host header without its port, normalised for comparison: lower case, no trailing dot. */
const hostnameOf = (host = ''): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

/** Routes that concern all accounts return 404 for keys of accounts other than the operator's. */
const verdictOf = ({ keyClass, isOperator }: Principal, accessClass: KeyAccess): Verdict =>
  accessClass === 'operator' && !isOperator ? 'not_found' : ACCESS[accessClass][keyClass];

function refuseUnlessAllowed(principal: Principal, accessClass: KeyAccess): void {
  const verdict = verdictOf(principal, accessClass);
  if (verdict === 'allow') return;
  const message =
    verdict === 'unauthenticated' && accessClass === 'administration'
      ? 'A management key is required for this operation'
      : verdict === 'forbidden' && accessClass === 'images'
        ? 'Management keys cannot be used for inference'
        : verdict === 'unauthenticated' && principal.keyClass === 'management'
          ? 'Management keys cannot perform this operation: use a standard API key'
          : REFUSAL[verdict];
  throw new GatewayError(verdict, message);
}

/** The key of a request. `keyHeader`: an additional header that may contain the key. Throws a 401 without a key. */
function keyOf({ headers }: AuthenticatedRequest, keyHeader: string | undefined): string {
  const key = keyHeader === undefined || headers.authorization?.trim() ? undefined : headers[keyHeader];
  return typeof key === 'string' && KEY.test(key) ? key : requiredToken(headers.authorization);
}

const KEY = /^\S+$/;

function requiredToken(header: string | undefined): string {
  if (header === undefined || header.trim() === '') throw unauthenticated('Missing Authentication header');
  const token = bearerToken(header);
  if (token === undefined)
    throw unauthenticated('Malformed Authorization header: send "Authorization: Bearer <API_KEY>"');
  return token;
}
