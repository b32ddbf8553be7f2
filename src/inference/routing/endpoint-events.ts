import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import { Outages } from '../../events/outages.js';
import { outsideRequests } from '../../kernel/request-scope.js';
import { EndpointHealth, nameOfEndpoint } from './endpoint-health.js';

/** Writes the events of endpoints that become unhealthy or recover. Calls do not wait for the writes. */
@Injectable()
export class EndpointEvents implements OnModuleInit {
  readonly #log = new Logger(EndpointEvents.name);
  /** Events are written one after another, so that a recovery is never written before its outage. */
  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly health: EndpointHealth,
    private readonly outages: Outages,
  ) {}

  onModuleInit(): void {
    this.health.onChange((endpoint, isHealthy) => {
      this.#last = outsideRequests(() => this.#last.then(() => this.#write(endpoint, isHealthy)));
    });
  }

  async #write(endpoint: CatalogueEndpoint, isHealthy: boolean): Promise<void> {
    const { provider, upstreamModel: model, capability } = endpoint;
    const name = nameOfEndpoint(endpoint);
    const facts = { provider, model, capability };
    await (isHealthy ? this.outages.end(name, facts) : this.outages.begin(name, facts)).catch((error: Error) =>
      this.#log.warn(`The health of ${name} was not written as an event: ${error.message}`),
    );
  }
}
