import type { NestExpressApplication } from '@nestjs/platform-express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Config } from '../config/config.js';
import { refuseUnparsed } from './unparsed-requests.js';

export const API_PREFIX = 'api/v1';

/** The routes of inference: EdgeAdapter has a short way to them. */
export const INFERENCE_PATHS = ['audio/speech', 'images', 'images/generations'].map((path) => `/${API_PREFIX}/${path}`);

/** What the edge needs of Express and node:http beyond Nest's own defaults. */
export function configureServer(app: NestExpressApplication): void {
  app.disable('x-powered-by');
  // Hashing every answer for an ETag costs more than sending it.
  app.disable('etag');
  // Only a proxy that the operator named may say where a request came from.
  app.set('trust proxy', app.get(Config).values.TRUST_PROXY);
  app.setGlobalPrefix(API_PREFIX, { exclude: ['healthz', 'readyz'] });
  // Without a listener Node answers "100 Continue" by itself, before the key is known. The body reader says it instead.
  const server = app.getHttpServer();
  const goOn = (request: IncomingMessage, response: ServerResponse): boolean =>
    server.emit('request', request, response);
  server.on('checkContinue', goOn);
  // What else a request expects is passed over, as RFC 9110 section 10.1.1 allows.
  server.on('checkExpectation', goOn);
  refuseUnparsed(server);
  server.keepAliveTimeout = 65_000;
  server.requestTimeout = 0;
  server.headersTimeout = 60_000;
}
