import { SetMetadata } from '@nestjs/common';
import type { RouteClass } from '../kernel/route-class.js';

export const RATE_METADATA = 'gatehouse:rate-class';

/** Counts a route in this class. Without it the class follows from the route's access. */
export const RateLimited = (routeClass: RouteClass): MethodDecorator & ClassDecorator =>
  SetMetadata(RATE_METADATA, routeClass);
