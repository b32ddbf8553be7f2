import { SetMetadata } from '@nestjs/common';

/** Classes of routes that share a rate limit. `other`: all routes that belong to no other class. */
export const ROUTE_CLASSES = ['inference', 'management', 'benchmarks', 'analytics', 'counting', 'other'] as const;
export type RouteClass = (typeof ROUTE_CLASSES)[number];

export const RATE_METADATA = 'gatehouse:rate-class';

/** Sets the rate-limit class of a route. Without this decorator, the access class determines it. */
export const RateLimited = (routeClass: RouteClass): MethodDecorator & ClassDecorator =>
  SetMetadata(RATE_METADATA, routeClass);
