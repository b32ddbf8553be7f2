/** Groups of routes that share a rate limit. `other` takes every route that names none and whose access class suggests none. */
export const ROUTE_CLASSES = ['inference', 'management', 'benchmarks', 'analytics', 'other'] as const;
export type RouteClass = (typeof ROUTE_CLASSES)[number];
