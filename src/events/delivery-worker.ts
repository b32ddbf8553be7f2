import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Notifications } from '../database/notifications.js';
import { isDatabaseUnavailable } from '../database/database-faults.js';
import { outsideRequests } from '../kernel/request-scope.js';
import { Periodic } from '../kernel/scheduling/periodic.js';
import { Deliveries } from './deliveries.js';
import type { DueDelivery, Lane } from './delivery-queue.js';

/** The interval at which due retries are found. New events send a notification, which starts a round at once. */
const POLL_MS = 1_000;
const STOP_TIMEOUT_MS = 2_000;
/**
 * Failing webhooks have their own slots, and one attempt at a time. A receiver that is down occupies its slot until a
 * timeout, and must not delay other receivers.
 */
const LANES: readonly (Lane & { readonly slots: number })[] = [
  { isFailing: false, perWebhook: 4, slots: 32 },
  { isFailing: true, perWebhook: 1, slots: 16 },
];

/** Sends due deliveries, in every replica. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger('webhooks');
  readonly #rounds = new Periodic(
    () => this.#round(),
    (error) => {
      if (!isDatabaseUnavailable(error))
        this.#log.warn(`Webhooks could not be delivered and will be retried: ${error.message}`);
    },
  );
  /** For each lane, the number of running attempts by webhook. */
  readonly #busy = LANES.map(() => new Map<string, number>());
  readonly #running = new Set<Promise<void>>();
  #stopped = false;

  constructor(
    private readonly deliveries: Deliveries,
    notifications: Notifications,
  ) {
    notifications.on('webhook_work', () => void this.#rounds.trigger());
  }

  onApplicationBootstrap(): void {
    this.#rounds.start(POLL_MS);
  }

  /**
   * Waits at most STOP_TIMEOUT_MS for the running attempts. Other replicas repeat unfinished attempts after their
   * leases end.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    await this.#rounds.stop();
    await Promise.race([Promise.all(this.#running), sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  }

  async #round(): Promise<void> {
    for (const [index, lane] of LANES.entries()) {
      const busy = this.#busy[index]!;
      const free = lane.slots - [...busy.values()].reduce((sum, count) => sum + count, 0);
      if (free <= 0) continue;
      const all = this.#busy.flatMap((webhooks) => [...webhooks.keys()]);
      for (const due of await this.deliveries.take(lane, all, free)) this.#start(due, busy);
    }
  }

  #start(due: DueDelivery, busy: Map<string, number>): void {
    const { webhookId } = due;
    busy.set(webhookId, (busy.get(webhookId) ?? 0) + 1);
    const running = outsideRequests(() => this.deliveries.attempt(due))
      .catch((error: Error) => {
        if (!this.#stopped) this.#log.warn(`The outcome of a delivery was not recorded: ${error.message}`);
      })
      .finally(() => {
        this.#running.delete(running);
        this.#release(webhookId, busy);
      });
    this.#running.add(running);
  }

  #release(webhookId: string, busy: Map<string, number>): void {
    const left = busy.get(webhookId)! - 1;
    if (left > 0) {
      busy.set(webhookId, left);
      return;
    }
    busy.delete(webhookId);
    // This webhook may have more due deliveries.
    if (!this.#stopped) void this.#rounds.trigger();
  }
}
