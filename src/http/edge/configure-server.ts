import type { NestExpressApplication } from '@nestjs/platform-express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Config, ConfigError } from '../../config/config.js';
import type { Cors } from './cors.js';
import { refuseUnparsed } from './unparsed-requests.js';

export const API_PREFIX = 'api/v1';
/** The routes of the console, which do not have the prefix. */
const CONSOLE_ROUTES = [
  'console/session',
  'console/session/state',
  'console/session/identities',
  'console/session/identities/:id',
  'console/sessions',
  'console/sessions/:id',
  'console/oidc/:provider/start',
  'console/oidc/:provider/callback',
  'console/oidc/:provider/backchannel',
];
export const OUTSIDE_API = ['/', 'healthz', 'readyz', 'metrics', 'auth', ...CONSOLE_ROUTES];
export const DOCUMENTATION_PATH = '/docs';
export const DOCUMENT_PATH = `/${API_PREFIX}/openapi.json`;

/** Configures Express and node:http where Nest's defaults do not fit. */
export function configureServer(app: NestExpressApplication, cors: Cors | null): void {
  app.disable('x-powered-by');
  // Hashing a response for an ETag costs more than sending the response.
  app.disable('etag');
  // Accept X-Forwarded-* headers only from the proxies that the operator configured.
  try {
    app.set('trust proxy', app.get(Config).values.TRUST_PROXY);
  } catch (error) {
    throw new ConfigError(`TRUST_PROXY must hold addresses such as 10.0.0.0/8,loopback (${(error as Error).message})`);
  }
  app.setGlobalPrefix(API_PREFIX, { exclude: OUTSIDE_API });
  // Without a listener for `checkContinue`, Node sends "100 Continue" before the key is checked. The body reader sends
  // it instead, after the check.
  const server = app.getHttpServer();
  const handle = (request: IncomingMessage, response: ServerResponse): boolean =>
    server.emit('request', request, response);
  server.on('checkContinue', handle);
  // Ignore other expectations, as RFC 9110 section 10.1.1 allows.
  server.on('checkExpectation', handle);
  refuseUnparsed(server, cors);
  server.keepAliveTimeout = 65_000;
  server.requestTimeout = 0;
  server.headersTimeout = 60_000;
}
