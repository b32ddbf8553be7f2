import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Config } from '../../config/config.js';
import { ProcessRole } from '../../config/process-role.js';
import { GatewayError, notFound, reasonOf } from '../../kernel/errors/errors.js';
import { toEnvelope } from '../errors/error-envelope.js';
import { metricsFault } from '../edge/listening.js';
import { MetricsPage } from './metrics-page.js';

/** Serves only GET /metrics on METRICS_PORT. */
@Injectable()
export class MetricsListener implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('metrics');
  #server: Server | undefined;

  constructor(
    private readonly page: MetricsPage,
    private readonly config: Config,
    private readonly role: ProcessRole,
  ) {}

  /** The URL of the listener; undefined if it is not open. */
  get origin(): string | undefined {
    if (!this.#server) return undefined;
    const { address, family, port } = this.#server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { METRICS_PORT: port, METRICS_HOST: host } = this.config.values;
    if (port === undefined || this.role.isWorker) return;
    const server = createServer((request, response) => void this.#serve(request, response));
    try {
      server.listen(port, host);
      await once(server, 'listening');
    } catch (error) {
      throw metricsFault(error as NodeJS.ErrnoException, port, host);
    }
    this.#server = server;
    this.#log.log(`Metrics at ${this.origin}/metrics`);
  }

  async onApplicationShutdown(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.url?.split('?', 1)[0] !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD'))
        throw notFound('Not found: this port serves GET /metrics');
      await this.page.send(request, response);
    } catch (thrown) {
      const error = thrown instanceof GatewayError ? thrown : undefined;
      if (!error) this.#log.error(`A scrape failed: ${reasonOf(thrown)}`);
      const { status, body } = toEnvelope(error);
      if (response.headersSent) response.destroy();
      else
        response.writeHead(status, { 'content-type': 'application/json', ...error?.headers }).end(JSON.stringify(body));
    }
  }
}
