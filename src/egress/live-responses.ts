import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Notifications } from '../database/notifications.js';
import type { InternAndHost } from '../vaults/maskable-secrets.js';
import type { SecretMatcher } from './masking/secret-matcher.js';
import { ResponseMasks } from './response-masks.js';
import { VaultWatch, type OpenConnections, type WatchedConnection } from './vault-watch.js';

interface LiveResponse {
  readonly pair: InternAndHost;
  readonly matcher: SecretMatcher;
}

/**
 * Responses and WebSockets in progress. A matcher is immutable, so it does not mask a secret that is bound to the host
 * later. A response is therefore closed when another secret is bound to its host.
 */
@Injectable()
export class LiveResponses implements OnModuleDestroy {
  readonly #watch: VaultWatch<LiveResponse>;

  constructor(
    private readonly masks: ResponseMasks,
    notifications: Notifications,
  ) {
    this.#watch = new VaultWatch(notifications, (open) => this.#cutOutdated(open));
  }

  onModuleDestroy(): Promise<void> {
    return this.#watch.stop();
  }

  /** The matcher for a response that is written to `sink`. Throws the errors of ResponseMasks.of. */
  async matcherFor(pair: InternAndHost, sink: WatchedConnection): Promise<SecretMatcher> {
    const track = this.#watch.tracker(sink);
    const matcher = await this.masks.of(pair);
    track({ pair, matcher });
    return matcher;
  }

  async #cutOutdated(open: OpenConnections<LiveResponse>): Promise<void> {
    for (const [sink, { pair, matcher }] of open) if (!matcher.covers(await this.masks.of(pair))) sink.destroy();
  }
}
