import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AddressInfo } from 'node:net';
import { AppModule, type Composition } from './app.module.js';
import type { Config } from './config/config.js';
import { configureServer, INFERENCE_PATHS } from './http/configure-server.js';
import { EdgeAdapter } from './http/edge-adapter.js';
import { buildOpenApi, serveOpenApi } from './http/openapi.js';
import { RequestDrain } from './http/request-drain.js';
import { serviceLogger } from './http/service-logger.js';
import { FirstStart, type StartKeys } from './operator/first-start.js';

export interface RunningService {
  readonly app: NestExpressApplication;
  /** Without a trailing slash; the API is below /api/v1. */
  readonly origin: string;
  readonly keys: StartKeys;
  /** Lets calls under way end, then stops. */
  stop(): Promise<void>;
}

/** Starts the service on a database that is there and migrated. */
export async function startService(composition: Composition): Promise<RunningService> {
  const { config } = composition;
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.register(composition),
    new EdgeAdapter(INFERENCE_PATHS),
    {
      bodyParser: false,
      abortOnError: false,
      logger: serviceLogger(config.values.LOG_LEVEL),
    },
  );
  try {
    configureServer(app);
    const drain = new RequestDrain(app.getHttpServer());
    serveOpenApi(app, buildOpenApi(app, publicBase(config)));
    await app.init();
    const keys = await app.get(FirstStart, { strict: false }).ensure();
    await app.listen(config.values.PORT, config.values.HOST);
    const origin = originOf(app, config);
    let stopping: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      const left = await drain.drain(config.values.SHUTDOWN_TIMEOUT_MS);
      if (left > 0)
        new Logger('service').warn(`${left} requests did not end within SHUTDOWN_TIMEOUT_MS and were cut off`);
      await app.close();
    };
    return { app, origin, keys, stop: () => (stopping ??= stop()) };
  } catch (error) {
    await app.close().catch(() => undefined);
    throw error;
  }
}

function originOf(app: NestExpressApplication, config: Config): string {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const host = config.values.HOST === '0.0.0.0' || config.values.HOST === '::' ? '127.0.0.1' : config.values.HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Relative where nothing is configured, so that the document fits whatever address it was fetched from. */
const publicBase = (config: Config): string => config.values.PUBLIC_BASE_URL ?? '/';
