import type { DynamicModule } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from './config/config.js';
import { CallerConnections } from './http/connections/caller-connections.js';
import { API_PREFIX, configureServer } from './http/edge/configure-server.js';
import { Cors } from './http/edge/cors.js';
import { EdgeAdapter } from './http/edge/edge-adapter.js';
import { AccessTokens } from './auth/access-tokens.port.js';
import { KeyDirectory } from './auth/key-directory.js';
import { hashOfKey } from './auth/key-secret.js';
import { OverloadRefusals } from './http/edge/overload-refusals.js';
import { RequestDrain } from './http/edge/request-drain.js';
import { ServiceLog } from './http/log/service-log.js';
import type { RequestForwarder } from './http/workers/request-forwarder.driver.js';
import { DataFolder } from './storage/data-folder.js';
import { Metrics } from './telemetry/metrics.js';
import { Tracing } from './telemetry/tracing.js';

interface ServerOptions {
  readonly config: Config;
  /** Default: a log to standard output, as configured. */
  readonly log?: ServiceLog;
  /** In a worker: forwards the requests that the worker does not serve. */
  readonly forwarder?: RequestForwarder;
}

/** The Nest application of one process with its HTTP server. The server listens after `drain.listen`. */
export class AppServer {
  private constructor(
    readonly app: NestExpressApplication,
    readonly drain: RequestDrain,
    private readonly edge: EdgeAdapter,
    private readonly tracing: Tracing | null,
    /** Whether callers connect to this process. */
    private readonly isEdge: boolean,
  ) {}

  static async create(module: DynamicModule, { config, log, forwarder }: ServerOptions): Promise<AppServer> {
    const { access, logger } = log ?? new ServiceLog(config.values);
    const { CORS_ORIGINS } = config.values;
    const cors = CORS_ORIGINS.length > 0 ? new Cors(`/${API_PREFIX}/`, CORS_ORIGINS) : null;
    const tracing = await Tracing.start(config.values);
    const edge = new EdgeAdapter(access, cors, tracing, forwarder);
    const app = await NestFactory.create<NestExpressApplication>(module, edge, {
      bodyParser: false,
      abortOnError: false,
      logger,
    });
    const server = app.getHttpServer();
    const drain = new RequestDrain(server, new CallerConnections(server, config));
    const isEdge = forwarder !== undefined || config.values.WORKERS === 1;
    const created = new AppServer(app, drain, edge, tracing, isEdge);
    try {
      configureServer(app, cors);
    } catch (error) {
      await created.abandon();
      throw error;
    }
    return created;
  }

  /** Opens the data folder and starts the modules. */
  async init(): Promise<void> {
    await this.app.get(DataFolder, { strict: false }).open();
    await this.app.init();
    const refusals = this.app.get(OverloadRefusals, { strict: false });
    const keys = this.app.get(KeyDirectory, { strict: false });
    const tokens = this.app.get(AccessTokens, { strict: false });
    refusals.isKnown = (secret) => {
      const hash = hashOfKey(secret);
      return keys.isKnown(hash) || tokens.isVerified(hash);
    };
    this.edge.refusals = refusals;
    // If there are workers, callers connect only to them. The workers forward some requests to the supervisor.
    if (this.isEdge) {
      const { responses } = this.edge;
      this.app.get(Metrics, { strict: false }).add('http responses', () => [responses.family()]);
    }
    this.edge.assertFastPathsRegistered(this.app.get(ModulesContainer));
  }

  /** Must be called only after the drain, when no request is open. */
  async close(): Promise<void> {
    await this.app.close();
    await this.tracing?.close();
  }

  /** Must be called if the start has failed. */
  async abandon(): Promise<void> {
    this.drain.close();
    await this.app.close().catch(() => undefined);
    await this.tracing?.close();
  }
}
