import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Clock } from '../kernel/clock.js';
import { reasonOf } from '../kernel/errors/errors.js';
import type { DueDelivery } from './delivery-queue.js';
import { BATCH_EVENT } from './event-types.js';
import { otlpLogs } from './otlp-logs.js';
import { wireEventId } from './webhook-record.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender, type SendOutcome } from './webhook-sender.port.js';
import { signedHeaders } from './webhook-signature.js';
import { checkedUrl } from '../kernel/fetched-url.js';

/** Sends deliveries in the format of their webhook. */
@Injectable()
export class OutgoingDeliveries {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
  ) {}

  /** Never rejects: what prevents an attempt is a failed one. */
  async send(due: DueDelivery): Promise<SendOutcome> {
    try {
      // The operator may have taken a host off WEBHOOK_PRIVATE_HOSTS.
      const url = checkedUrl(due.url, this.config.values.WEBHOOK_PRIVATE_HOSTS);
      const own = await this.secrets.headers(due);
      if (due.format === 'otlp') return await this.sender.send({ url, headers: own, body: otlpLogs(due) });
      const body = standardBody(due);
      const now = this.clock.now();
      const signed = signedHeaders(wireEventId(due.eventId), now, body, await this.secrets.signing(due, now));
      return await this.sender.send({ url, headers: { ...own, ...signed }, body });
    } catch (error) {
      return { error: reasonOf(error) };
    }
  }
}

/** The body of Standard Webhooks. It is the same for every attempt. */
function standardBody({ type, eventAt, data }: DueDelivery): string {
  const named = type === 'generation.completed' ? BATCH_EVENT : type;
  return JSON.stringify({ type: named, timestamp: eventAt.toISOString(), data });
}
