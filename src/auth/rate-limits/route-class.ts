/** Classes of routes that share a rate limit. `other` = no class is set and none follows from the access class. */
export const ROUTE_CLASSES = ['inference', 'management', 'benchmarks', 'analytics', 'counting', 'other'] as const;
export type RouteClass = (typeof ROUTE_CLASSES)[number];
