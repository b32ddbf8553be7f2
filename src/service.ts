import { Logger } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AddressInfo } from 'node:net';
import { AppModule, type Composition } from './app.module.js';
import { Catalogue } from './catalogue/catalogue.js';
import { variableOfProvider, type Config } from './config/config.js';
import { CallerConnections } from './http/connections/caller-connections.js';
import { API_PREFIX, configureServer } from './http/edge/configure-server.js';
import { Cors } from './http/edge/cors.js';
import { EdgeAdapter } from './http/edge/edge-adapter.js';
import { HealthController } from './http/edge/health.controller.js';
import { localOrigin } from './http/edge/listening.js';
import { serveOpenApi } from './http/openapi/openapi.js';
import { RequestDrain } from './http/edge/request-drain.js';
import { serveConsole } from './http/console/serve-console.js';
import { ServiceLog } from './http/log/service-log.js';
import { CredentialForms } from './inference/endpoint-access.js';
import { sharedUserWarning } from './runtimes/shared-user.js';
import { Tracing } from './telemetry/tracing.js';
import { MasterKeyStart } from './secrets/master-key-start.js';
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
  const server = app.getHttpServer();
  const drain = new RequestDrain(server, new CallerConnections(server, config));
  try {
    configureServer(app, cors);
    serveOpenApi(app, publicBase(config));
    await serveConsole(app);
    await app.get(DataFolder, { strict: false }).open();
    await app.init();
    edge.assertFastPathsRegistered(app.get(ModulesContainer));
    checkProviderVariables(app, config);
    const warning = sharedUserWarning(config.values, process.getuid?.());
    if (warning) new Logger('service').warn(warning);
    const firstStart = app.get(FirstStart, { strict: false });
    const keys = await firstStart.ensure();
    await drain.listen(config);
    app.get(MasterKeyStart, { strict: false }).warn();
    const origin = localOrigin(config.values.HOST, (server.address() as AddressInfo).port);
    const consoleLink = await firstStart.consoleLink(config.values.PUBLIC_BASE_URL ?? origin);
    let stopping: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      const { SHUTDOWN_DELAY_MS, SHUTDOWN_TIMEOUT_MS } = config.values;
      // Load balancers take this replica out of rotation before its listener closes.
      app.get(HealthController, { strict: false }).shutDown();
      const left = await drain.drain(SHUTDOWN_DELAY_MS, SHUTDOWN_TIMEOUT_MS);
      if (left > 0)
        new Logger('service').warn(`${left} requests did not end within SHUTDOWN_TIMEOUT_MS and were cut off`);
      await app.close();
      await tracing?.close();
    };
    const keysShown = (): Promise<void> => firstStart.shown();
    return { app, origin, keys, consoleLink, keysShown, stop: () => (stopping ??= stop()) };
  } catch (error) {
    drain.close();
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

/** Relative if PUBLIC_BASE_URL is not set, so that the document works at any address. */
const publicBase = (config: Config): string => config.values.PUBLIC_BASE_URL ?? '/';
