import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Config } from '../config/config.js';
import { ACCESS, ACCESS_METADATA, REFUSED_ON_REGIONAL_HOSTS, type AccessClass } from '../kernel/access.js';
import { Clock } from '../kernel/clock.js';
import { forbidden, GatewayError, unauthenticated } from '../kernel/errors.js';
import { PerRoute } from '../kernel/per-route.js';
import type { Principal } from '../kernel/principal.js';
import type { AuthenticatedRequest } from './authenticated-request.js';
import { FailedKeys } from './failed-keys.js';
import { KeyDirectory, type KnownKey } from './key-directory.js';
import { hashOfKey } from './key-secret.js';
import { KeyUses } from './key-uses.js';

const REFUSAL: Record<'unauthenticated' | 'forbidden' | 'not_found', string> = {
  unauthenticated: 'This key may not perform this operation',
  forbidden: 'Only management keys can perform this operation',
  not_found: 'Not found',
};

/** Resolves the key and applies the route's access class. A route that declares none is refused: default deny. */
@Injectable()
export class AccessGuard implements CanActivate {
  readonly #access: PerRoute<AccessClass | undefined>;

  constructor(
    reflector: Reflector,
    private readonly keys: KeyDirectory,
    private readonly clock: Clock,
    private readonly uses: KeyUses,
    private readonly failed: FailedKeys,
    private readonly config: Config,
  ) {
    this.#access = new PerRoute((places) =>
      reflector.getAllAndOverride<AccessClass | undefined>(ACCESS_METADATA, places),
    );
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const accessClass = this.#access.of(context);
    if (accessClass === undefined) throw new GatewayError('internal', 'This route declares no access');
    if (accessClass === 'public') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const known = this.keys.find(hashOfKey(bearerToken(request.headers.authorization)));
    return known instanceof Promise
      ? known.then((key) => this.#admit(request, key, accessClass))
      : this.#admit(request, known, accessClass);
  }

  #admit(
    request: AuthenticatedRequest,
    key: KnownKey | null,
    accessClass: Exclude<AccessClass, 'public'>,
  ): boolean | Promise<boolean> {
    if (!key) return this.#refuseUnknown(request);
    if (key.disabled) throw unauthenticated('This API key is disabled');
    const now = this.clock.now();
    if (key.expiresAt !== null && key.expiresAt <= now.getTime()) throw unauthenticated('This API key has expired');
    request.principal = key.principal;
    this.uses.note(key.principal.keyNo, now);
    this.#refuseRegional(request, key.principal, accessClass);
    refuseUnlessAllowed(key.principal, accessClass);
    return true;
  }

  /** Comes after everything that is a 401, the class of the key included, and before everything else. */
  #refuseRegional(
    request: AuthenticatedRequest,
    principal: Principal,
    accessClass: Exclude<AccessClass, 'public'>,
  ): void {
    if (!REFUSED_ON_REGIONAL_HOSTS.has(accessClass) || ACCESS[accessClass][principal.keyClass] === 'unauthenticated')
      return;
    if (this.config.values.REGIONAL_HOSTNAMES.includes(hostnameOf(request.headers.host))) throw forbidden('Forbidden');
  }

  async #refuseUnknown(request: AuthenticatedRequest): Promise<never> {
    throw await this.failed.refusal(request);
  }
}

/** The Host header without its port, as host names are compared: lower case, no dot at the end. */
const hostnameOf = (host = ''): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

function refuseUnlessAllowed(principal: Principal, accessClass: Exclude<AccessClass, 'public'>): void {
  const verdict = ACCESS[accessClass][principal.keyClass];
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

const BEARER_HEADER = /^Bearer +(\S+) *$/i;

function bearerToken(header: string | undefined): string {
  if (header === undefined || header.trim() === '') throw unauthenticated('Missing Authentication header');
  const token = BEARER_HEADER.exec(header)?.[1];
  if (token === undefined)
    throw unauthenticated('Malformed Authorization header: send "Authorization: Bearer <API_KEY>"');
  return token;
}
