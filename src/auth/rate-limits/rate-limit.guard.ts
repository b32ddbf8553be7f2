import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ServerResponse } from 'node:http';
import { Config } from '../../config/config.js';
import { ACCESS_METADATA, type AccessClass } from '../../kernel/access/access-matrix.js';
import { Clock } from '../../kernel/clock.js';
import { PerRoute } from '../../kernel/per-route.js';
import type { Principal } from '../../kernel/principal.js';
import type { AuthenticatedRequest } from '../authenticated-request.js';
import { RateCounters, type RateRule } from '../../rate-limits/rate-counters.port.js';
import { rateHeaders, rateLimited } from '../../rate-limits/rate-limit.errors.js';
import { RATE_METADATA, ROUTE_CLASSES, type RouteClass } from '../rate-limited.decorator.js';

/** The rate-limit class of routes without @RateLimited. The type requires an entry for every access class. */
const CLASS_OF_ACCESS: Readonly<Record<AccessClass, RouteClass>> = {
  public: 'other',
  any: 'other',
  images: 'inference',
  speech: 'inference',
  text: 'inference',
  'byok-read': 'other',
  administration: 'management',
  management: 'management',
  operator: 'management',
  interns: 'other',
  'own-intern': 'other',
};

interface Limits {
  readonly perKey: RateRule | null;
  readonly perAccount: RateRule | null;
}

/** The rate limit in a key's settings, which counts all requests with the key. */
const OWN_RULE = { name: 'own:key', seconds: 60 } as const;

/** Counts an admitted request against the limits of its key and of its account. Runs after the AccessGuard. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  readonly #limits: PerRoute<Limits>;

  constructor(
    reflector: Reflector,
    private readonly counters: RateCounters,
    private readonly clock: Clock,
    config: Config,
  ) {
    const limits = limitsOf(config);
    this.#limits = new PerRoute((places) => {
      const named = reflector.getAllAndOverride<RouteClass | undefined>(RATE_METADATA, places);
      const access = reflector.getAllAndOverride<AccessClass | undefined>(ACCESS_METADATA, places);
      return limits[named ?? (access && CLASS_OF_ACCESS[access]) ?? 'other'];
    });
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const { principal } = http.getRequest<AuthenticatedRequest>();
    if (!principal) return true;
    const { perKey, perAccount } = this.#limits.of(context);
    if (!perKey && !perAccount && !principal.ownRateLimit) return true;
    return this.#count(principal, http.getResponse<ServerResponse>(), perKey, perAccount);
  }

  /** Counts against the key's limits first, so that refused requests do not count against the account. */
  async #count(
    principal: Principal,
    response: ServerResponse,
    perKey: RateRule | null,
    perAccount: RateRule | null,
  ): Promise<boolean> {
    const counted: { rule: RateRule; remaining: number; headers: Record<string, string> }[] = [];
    const { ownRateLimit: own } = principal;
    for (const [rule, who] of [
      [own ? { ...OWN_RULE, points: own.requestsPerMinute } : null, own?.keyHash ?? ''],
      [perKey, principal.keyHash],
      [perAccount, principal.accountId],
    ] as const) {
      if (!rule) continue;
      const count = await this.counters.count(rule, who);
      const now = this.clock.now();
      if (!count.allowed)
        throw rateLimited(
          rule === perAccount ? 'The keys of this account send too many requests' : 'This key sends too many requests',
          rule,
          count,
          now,
        );
      counted.push({ rule, remaining: count.remaining, headers: rateHeaders(rule, count, now) });
    }
    const nearest = counted.reduce((a, b) => (b.remaining < a.remaining ? b : a));
    for (const [name, value] of Object.entries(nearest.headers)) response.setHeader(name, value);
    return true;
  }
}

function limitsOf({ values }: Config): Record<RouteClass, Limits> {
  const entries = ROUTE_CLASSES.map((routeClass) => {
    const variable = `RATE_LIMIT_${routeClass.toUpperCase() as Uppercase<RouteClass>}` as const;
    const perKey = values[variable];
    const perAccount = values[`${variable}_ACCOUNT`];
    return [
      routeClass,
      {
        perKey: perKey && { ...perKey, name: `${routeClass}:key` },
        perAccount: perAccount && { ...perAccount, name: `${routeClass}:account` },
      },
    ] as const;
  });
  return Object.fromEntries(entries) as Record<RouteClass, Limits>;
}
