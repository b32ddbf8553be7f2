import { Injectable } from '@nestjs/common';
import { DeliveryQueue, type DeliveryBacklog } from '../../events/delivery-queue.js';
import { ListedChannels, type ListedChannel } from '../../inference/listed-channels.js';
import { Replicas, type Replica } from '../../secrets/replicas.js';
import { beforeDeadline } from './before-deadline.js';

const TIMEOUT_MS = 1_500;

/**
 * The part of the health that is read from the database. Null = the database did not respond in time, or the query
 * failed.
 */
export interface StoredHealth {
  readonly replicas: readonly Replica[] | null;
  readonly webhooks: DeliveryBacklog | null;
  readonly channels: readonly ListedChannel[] | null;
}

/** Reads the part of the service's health that is stored in the database. */
@Injectable()
export class StoredHealthReader {
  constructor(
    private readonly replicas: Replicas,
    private readonly queue: DeliveryQueue,
    private readonly listed: ListedChannels,
  ) {}

  async read(): Promise<StoredHealth> {
    const [replicas, webhooks, channels] = await Promise.all([
      orNull(this.replicas.list(TIMEOUT_MS)),
      orNull(this.queue.backlog(TIMEOUT_MS)),
      orNull(this.listed.all()),
    ]);
    return { replicas, webhooks, channels };
  }
}

const orNull = <T>(reading: Promise<T>): Promise<T | null> =>
  beforeDeadline(
    TIMEOUT_MS,
    reading.catch(() => null),
    null,
  );
