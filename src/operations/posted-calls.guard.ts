import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AuthenticatedRequest } from '../auth/authenticated-request.js';
import { Balances } from '../billing/balances.js';
import { ACCESS_METADATA, type AccessClass } from '../kernel/access/access-matrix.js';
import { PERMISSION_METADATA, type Permission } from '../kernel/access/permissions.js';
import { PerRoute } from '../kernel/per-route.js';

/** The access classes of routes that call models. */
const INFERENCE: ReadonlySet<AccessClass | undefined> = new Set<AccessClass>(['images', 'speech', 'text']);
const CATALOGUE: Permission = 'catalogue.read';

/** Before a request that may read balances or records: posts the calls that ended before it. */
@Injectable()
export class PostedCallsGuard implements CanActivate {
  /** Whether a route may read balances or records. */
  readonly #mayRead: PerRoute<boolean>;

  constructor(
    reflector: Reflector,
    private readonly balances: Balances,
  ) {
    this.#mayRead = new PerRoute((places) => {
      const accessClass = reflector.getAllAndOverride<AccessClass | undefined>(ACCESS_METADATA, places);
      const permission = reflector.getAllAndOverride<Permission | undefined>(PERMISSION_METADATA, places);
      return !INFERENCE.has(accessClass) && permission !== CATALOGUE;
    });
  }

  canActivate(context: ExecutionContext): true | Promise<true> {
    const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!principal || !this.#mayRead.of(context)) return true;
    return this.balances.postCalls(principal).then(() => true as const);
  }
}
