import { SetMetadata } from '@nestjs/common';
import type { RouteClass } from './rate-limits/route-class.js';

export const RATE_METADATA = 'gatehouse:rate-class';

/** Sets the route's rate-limit class. Without it, the class follows from the access class. */
export const RateLimited = (routeClass: RouteClass): MethodDecorator & ClassDecorator =>
  SetMetadata(RATE_METADATA, routeClass);
