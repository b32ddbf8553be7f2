import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AuthenticatedRequest } from '../auth/authenticated-request.js';
import { Balances } from '../billing/balances.js';
import { ACCESS_METADATA, type AccessClass } from '../kernel/access/access-matrix.js';
import { PerRoute } from '../kernel/per-route.js';

/** The access classes of routes that call models and read no balances or records. */
const INFERENCE: ReadonlySet<AccessClass | undefined> = new Set<AccessClass>(['images', 'speech', 'text']);

/** Before a request that may read balances or records: posts the calls that ended before it. */
@Injectable()
export class PostedCallsGuard implements CanActivate {
  readonly #isInference: PerRoute<boolean>;

  constructor(
    reflector: Reflector,
    private readonly balances: Balances,
  ) {
    this.#isInference = new PerRoute((places) =>
      INFERENCE.has(reflector.getAllAndOverride<AccessClass | undefined>(ACCESS_METADATA, places)),
    );
  }

  canActivate(context: ExecutionContext): true | Promise<true> {
    const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!principal || this.#isInference.of(context)) return true;
    return this.balances.postCalls(principal).then(() => true as const);
  }
}
