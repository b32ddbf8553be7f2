import { SetMetadata } from '@nestjs/common';
import { DEADLINE_MS } from './deadline.interceptor.js';

export const INTERN_ROUTE_METADATA = 'gatehouse:intern-route';

/** Requirements of a route that are checked before the body is read. */
export interface InternRoute {
  /** Whether the route writes. Such a route returns 404 while INTERN_WRITES_ENABLED is false. */
  readonly writes: boolean;
  /** Whether the route requires a workspace that allows interns. */
  readonly needsCapability?: boolean;
}

export const InternRoute = (route: InternRoute): MethodDecorator => SetMetadata(INTERN_ROUTE_METADATA, route);

/** How the intern routes read request bodies. */
export const INTERN_BODY = {
  cap: 1_048_576,
  afterGroupGuards: true,
  withinMs: DEADLINE_MS,
  wrongType: 'unsupported_media_type',
} as const;
