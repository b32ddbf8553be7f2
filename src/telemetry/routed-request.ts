import type { IncomingMessage } from 'node:http';

/** `route` is set by Express's router. */
export type RoutedRequest = IncomingMessage & { readonly route?: { readonly path?: unknown } };

/** Routes of probes and scrapers, whose requests arrive every few seconds. */
export const HEALTH_ROUTES: ReadonlySet<unknown> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * The pattern of a route. Undefined for Nest's catch-all route, whose pattern has no slash, and if there is no route.
 */
export const patternOf = (route: unknown): string | undefined =>
  typeof route === 'string' && route.startsWith('/') ? route : undefined;
