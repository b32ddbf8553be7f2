import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Clock } from '../kernel/clock.js';
import { reasonOf } from '../kernel/errors/errors.js';
import { checkedUrl } from '../kernel/fetched-url.js';
import { Alerts } from './alerts/alerts.js';
import type { DueDelivery } from './delivery-queue.js';
import { BATCH_EVENT } from './event-types.js';
import { MailSender } from './mail-sender.port.js';
import { otlpLogs } from './otlp-logs.js';
import { isChat, wireEventId } from './webhook-record.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender, type SendOutcome } from './webhook-sender.port.js';
import { signedHeaders } from './webhook-signature.js';

/** Sends deliveries in the format of their webhook. */
@Injectable()
export class OutgoingDeliveries {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
    private readonly mails: MailSender,
    private readonly alerts: Alerts,
  ) {}

  /** Never rejects, because an error before the request counts as a failed attempt. */
  async send(due: DueDelivery): Promise<SendOutcome> {
    try {
      return due.format === 'email' ? await this.mails.send(await this.alerts.mail(due)) : await this.#post(due);
    } catch (error) {
      return { error: reasonOf(error) };
    }
  }

  async #post(due: DueDelivery): Promise<SendOutcome> {
    // The operator may have removed a host from WEBHOOK_PRIVATE_HOSTS.
    const url = checkedUrl(await this.secrets.url(due), this.config.values.WEBHOOK_PRIVATE_HOSTS);
    const own = await this.secrets.headers(due);
    const { format } = due;
    if (isChat(format)) return this.sender.send({ url, headers: own, body: await this.alerts.message(due, format) });
    if (format === 'otlp') return this.sender.send({ url, headers: own, body: otlpLogs(due) });
    const body = standardBody(due);
    const now = this.clock.now();
    const signed = signedHeaders(wireEventId(due.eventId), now, body, await this.secrets.signing(due, now));
    return this.sender.send({ url, headers: { ...own, ...signed }, body });
  }
}

/** The body of Standard Webhooks. It is the same for every attempt. */
function standardBody({ type, eventAt, data }: DueDelivery): string {
  const named = type === 'generation.completed' ? BATCH_EVENT : type;
  return JSON.stringify({ type: named, timestamp: eventAt.toISOString(), data });
}
