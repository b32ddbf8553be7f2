import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule, type Composition } from './app.module.js';
import { AppServer } from './app-server.js';
import { Catalogue } from './catalogue/catalogue.js';
import { variableOfProvider, type Config } from './config/config.js';
import { serveConsole } from './http/console/serve-console.js';
import { HealthController } from './http/edge/health.controller.js';
import { localOrigin } from './http/edge/listening.js';
import { serveOpenApi } from './http/openapi/openapi.js';
import { IdentityProviders } from './identity/identity-providers.js';
import { CredentialForms } from './inference/endpoint-access.js';
import { ProcessesHealth } from './inference/process-health.js';
import { InternHandOver } from './interns/hand-over.js';
import { FirstStart, type StartKeys, type StartLink } from './operator/first-start.js';
import { CounterDrivers } from './rate-limits/counter-drivers.js';
import { sharedUserWarning } from './runtimes/shared-user.js';
import { MasterKeyStart } from './secrets/master-key-start.js';
import { Metrics } from './telemetry/metrics.js';

export interface RunningService {
  readonly app: NestExpressApplication;
  /** Without a trailing slash; the API is below /api/v1. */
  readonly origin: string;
  readonly keys: StartKeys;
  /** A link that signs in to the console; null unless this is the first start. */
  readonly consoleLink: StartLink | null;
  /** Call this when the keys have been shown. Later starts do not show them again. */
  readonly keysShown: () => Promise<void>;
  /** Waits for open calls, then stops. */
  stop(): Promise<void>;
}

/** Starts the service on a migrated database; with `workers`, this process is their supervisor. */
export async function startService(composition: Composition): Promise<RunningService> {
  const { config, workers } = composition;
  const { HOST, PORT, PUBLIC_BASE_URL, SHUTDOWN_DELAY_MS, SHUTDOWN_TIMEOUT_MS } = config.values;
  const server = await AppServer.create(AppModule.register(composition), composition);
  const { app, drain } = server;
  try {
    // A relative URL lets the document work at any address.
    serveOpenApi(app, PUBLIC_BASE_URL ?? '/');
    await serveConsole(app);
    await server.init();
    checkProviderVariables(app, config);
    const warning = sharedUserWarning(config.values, process.getuid?.());
    if (warning) new Logger('service').warn(warning);
    const firstStart = app.get(FirstStart, { strict: false });
    const keys = await firstStart.ensure();
    await app.get(IdentityProviders, { strict: false }).check();
    if (workers) {
      app.get(Metrics, { strict: false }).add('workers', () => workers.collect());
      app.get(ProcessesHealth, { strict: false }).add(() => workers.health());
    }
    const port = await (workers
      ? workers.listen(app.getHttpServer(), app.get(CounterDrivers, { strict: false }))
      : drain.listen({ host: HOST, port: PORT }));
    app.get(MasterKeyStart, { strict: false }).warn();
    const origin = localOrigin(HOST, port);
    const consoleLink = await firstStart.consoleLink(PUBLIC_BASE_URL ?? origin);
    let stopping: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      // Load balancers take this replica out of rotation before its listener closes.
      app.get(HealthController, { strict: false }).shutDown();
      // Not awaited, because the hand-over waits for turns of interns. Turns that outlast the drain are cut off.
      void app.get(InternHandOver, { strict: false }).run();
      const leftInWorkers = (await workers?.drain()) ?? 0;
      const left = leftInWorkers + (await drain.drain(workers ? 0 : SHUTDOWN_DELAY_MS, SHUTDOWN_TIMEOUT_MS));
      if (left > 0)
        new Logger('service').warn(`${left} requests did not end within SHUTDOWN_TIMEOUT_MS and were cut off`);
      await server.close();
    };
    const keysShown = (): Promise<void> => firstStart.shown();
    return { app, origin, keys, consoleLink, keysShown, stop: () => (stopping ??= stop()) };
  } catch (error) {
    await server.abandon();
    throw error;
  }
}

/**
 * Validates the variables of every provider at start, not at the first call. An invalid base URL prevents the start. A
 * credential that no endpoint can use causes a warning, because the models of the provider cannot be called.
 */
function checkProviderVariables(app: NestExpressApplication, config: Config): void {
  const forms = app.get(CredentialForms, { strict: false });
  for (const { slug, own } of app.get(Catalogue, { strict: false }).providers()) {
    if (own) continue;
    const { apiKey } = config.provider(slug);
    const reason = apiKey && forms.unusableReason(slug, apiKey);
    if (reason) new Logger('service').warn(`${variableOfProvider(slug, 'API_KEY')} cannot be used. ${reason}`);
  }
}
