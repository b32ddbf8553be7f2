import { Logger } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AddressInfo } from 'node:net';
import { AppModule, type Composition } from './app.module.js';
import { Catalogue } from './catalogue/catalogue.js';
import { ConfigError, variableOfProvider, type Config } from './config/config.js';
import { CallerConnections } from './http/caller-connections.js';
import { API_PREFIX, configureServer } from './http/configure-server.js';
import { Cors } from './http/cors.js';
import { EdgeAdapter } from './http/edge-adapter.js';
import { buildOpenApi, serveOpenApi } from './http/openapi.js';
import { RequestDrain } from './http/request-drain.js';
import { serveConsole } from './http/serve-console.js';
import { ServiceLog } from './http/service-log.js';
import { CredentialForms } from './inference/endpoint-access.js';
import { Tracing } from './telemetry/tracing.js';
import { DataFolder } from './storage/data-folder.js';
import { FirstStart, type StartKeys, type StartLink } from './operator/first-start.js';

export interface RunningService {
  readonly app: NestExpressApplication;
  /** Without a trailing slash; the API is below /api/v1. */
  readonly origin: string;
  readonly keys: StartKeys;
  /** A link that signs in to the console, made by the first start only. */
  readonly consoleLink: StartLink | null;
  /** Call it after the keys have been shown. */
  readonly keysShown: () => Promise<void>;
  /** Waits for the calls under way, then stops. */
  stop(): Promise<void>;
}

/** Starts the service on a migrated database. */
export async function startService(composition: Composition): Promise<RunningService> {
  const { config } = composition;
  const log = composition.log ?? new ServiceLog(config.values);
  const { CORS_ORIGINS } = config.values;
  const cors = CORS_ORIGINS.length > 0 ? new Cors(`/${API_PREFIX}/`, CORS_ORIGINS) : null;
  const tracing = await Tracing.start(config.values);
  const edge = new EdgeAdapter(log.access, cors, tracing);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.register(composition), edge, {
    bodyParser: false,
    abortOnError: false,
    logger: log.logger,
  });
  try {
    configureServer(app, cors);
    const server = app.getHttpServer();
    const drain = new RequestDrain(server, new CallerConnections(server, config));
    serveOpenApi(app, buildOpenApi(app, publicBase(config)));
    await serveConsole(app);
    await app.get(DataFolder, { strict: false }).open();
    await app.init();
    edge.assertFastPathsRegistered(app.get(ModulesContainer));
    checkProviderVariables(app, config);
    const firstStart = app.get(FirstStart, { strict: false });
    const keys = await firstStart.ensure();
    await app.listen(config.values.PORT, config.values.HOST).catch((error: NodeJS.ErrnoException) => {
      throw listenFault(error, config);
    });
    const origin = originOf(app, config);
    const consoleLink = await firstStart.consoleLink(config.values.PUBLIC_BASE_URL ?? origin);
    let stopping: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      const left = await drain.drain(config.values.SHUTDOWN_TIMEOUT_MS);
      if (left > 0)
        new Logger('service').warn(`${left} requests did not end within SHUTDOWN_TIMEOUT_MS and were cut off`);
      await app.close();
      await tracing?.close();
    };
    const keysShown = (): Promise<void> => firstStart.shown();
    return { app, origin, keys, consoleLink, keysShown, stop: () => (stopping ??= stop()) };
  } catch (error) {
    await app.close().catch(() => undefined);
    await tracing?.close();
    throw error;
  }
}

/**
 * Validates the variables of every provider at start; otherwise the first call would fail. A base URL that is none ends
 * the start; for a credential that no endpoint can use the models of the provider are not callable.
 */
function checkProviderVariables(app: NestExpressApplication, config: Config): void {
  const forms = app.get(CredentialForms, { strict: false });
  for (const { slug } of app.get(Catalogue, { strict: false }).providers()) {
    const { apiKey } = config.provider(slug);
    const reason = apiKey && forms.unusableReason(slug, apiKey);
    if (reason) new Logger('service').warn(`${variableOfProvider(slug, 'API_KEY')} cannot be used. ${reason}`);
  }
}

/** A ConfigError if HOST cannot be resolved or listened on. Errors of the port stay as they are. */
function listenFault(error: NodeJS.ErrnoException, { values }: Config): Error {
  const { code, syscall } = error;
  if (syscall === 'getaddrinfo' || code === 'EINVAL' || code === 'EAFNOSUPPORT') {
    return new ConfigError(
      'HOST must be an address of this machine, such as 127.0.0.1 or 0.0.0.0, or a name of one ' +
        `(${values.HOST}: ${code})`,
    );
  }
  return error;
}

function originOf(app: NestExpressApplication, config: Config): string {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const host = config.values.HOST === '0.0.0.0' || config.values.HOST === '::' ? '127.0.0.1' : config.values.HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Relative if PUBLIC_BASE_URL is not set, so that the document works at any address. */
const publicBase = (config: Config): string => config.values.PUBLIC_BASE_URL ?? '/';
