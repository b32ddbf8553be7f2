import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Stream } from 'node:stream';
import { Notifications } from '../database/notifications.js';
import type { InternAndHost } from '../vaults/maskable-secrets.js';
import type { SecretMatcher } from './masking/secret-matcher.js';
import { ResponseMasks } from './response-masks.js';
import { VaultWatch } from './vault-watch.js';

/** The destination of a response. */
type Sink = Stream & { destroy(): unknown };

interface LiveResponse {
  readonly pair: InternAndHost;
  readonly matcher: SecretMatcher;
  readonly sink: Sink;
}

/**
 * Responses and WebSockets in progress. A matcher is immutable, so a response is cut when another secret is bound to
 * its host: the new value would not be masked in it.
 */
@Injectable()
export class LiveResponses implements OnModuleDestroy {
  readonly #live = new Set<LiveResponse>();
  readonly #watch: VaultWatch;

  constructor(
    private readonly masks: ResponseMasks,
    notifications: Notifications,
  ) {
    this.#watch = new VaultWatch(notifications, () => this.#cutOutdated());
  }

  async onModuleDestroy(): Promise<void> {
    await this.#watch.stop();
  }

  /** The matcher for a response that is written to `sink`. Throws as ResponseMasks.of does. */
  async matcherFor(pair: InternAndHost, sink: Sink): Promise<SecretMatcher> {
    const { changes } = this.#watch;
    let isClosed = false;
    sink.once('close', () => (isClosed = true));
    const matcher = await this.masks.of(pair);
    if (isClosed) return matcher;
    const live: LiveResponse = { pair, matcher, sink };
    this.#live.add(live);
    sink.once('close', () => this.#live.delete(live));
    // The matcher may lack a change that was made during the await.
    if (changes !== this.#watch.changes) this.#watch.trigger();
    return matcher;
  }

  async #cutOutdated(): Promise<void> {
    for (const { pair, matcher, sink } of this.#live) if (!matcher.covers(await this.masks.of(pair))) sink.destroy();
  }
}
