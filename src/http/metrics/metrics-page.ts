import { Injectable } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Config } from '../../config/config.js';
import { bearerToken } from '../../kernel/access/bearer-token.js';
import { GatewayError, notFound } from '../../kernel/errors/errors.js';
import { Metrics } from '../../telemetry/metrics.js';
import { contentTypeOf, formatFor, printMetrics } from '../../telemetry/prometheus-text.js';

/** GET /metrics: the service's metrics as text for Prometheus. */
@Injectable()
export class MetricsPage {
  readonly #token: Buffer | undefined;

  constructor(
    private readonly metrics: Metrics,
    config: Config,
  ) {
    const { METRICS_TOKEN: token } = config.values;
    this.#token = token === undefined ? undefined : digestOf(token);
  }

  /**
   * Sends the page on the API's own port. Throws a 404 if no token is configured, because callers can reach that port.
   * Throws a 401 if the request does not have the token.
   */
  async sendWithToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#token) throw notFound('Not found');
    await this.send(request, response);
  }

  /** Sends the page. Throws a 401 if a token is configured and the request does not have it. */
  async send({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#authorise(headers.authorization);
    const format = formatFor(headers.accept);
    const pieces = await printMetrics(await this.metrics.collect(), format);
    response.setHeader('content-type', contentTypeOf(format));
    response.setHeader('cache-control', 'no-store');
    // A scraper that disconnects is not an error.
    await pipeline(Readable.from(pieces), response).catch(() => undefined);
  }

  #authorise(authorization: string | undefined): void {
    if (!this.#token) return;
    const given = bearerToken(authorization) ?? '';
    if (timingSafeEqual(digestOf(given), this.#token)) return;
    throw new GatewayError('unauthenticated', 'Missing or invalid credentials for metrics', {
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
}

/** All digests have the same length, which the constant-time comparison requires. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
