import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../audit/audit-entry.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { Config } from '../../config/config.js';
import type { InTransaction } from '../../database/session-of.js';
import { Deliveries } from '../../events/deliveries.js';
import { DeliveryQueue } from '../../events/delivery-queue.js';
import { MailSender } from '../../events/mail-sender.port.js';
import { isForPeople, MAILTO, type Delivery, type Webhook, type WebhookFormat } from '../../events/webhook-record.js';
import { pageIn, type OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import { checkedUrl } from '../../kernel/fetched-url.js';
import { Webhooks, type WebhookWithSecret } from '../../events/webhooks.js';
import { conflict, invalidRequest, notFound, type GatewayError } from '../../kernel/errors/errors.js';
import { isUuid } from '../../kernel/ids.js';
import type { Paged } from '../../kernel/page.js';
import type { Principal } from '../../kernel/principal.js';
import type { CreateWebhookRequest, UpdateWebhookRequest } from './dto/webhook.request.dto.js';
import { checkedHeaders, toFormat } from './webhooks.wire.js';

const unknown = (): GatewayError => notFound('No webhook has this id');

@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly queue: DeliveryQueue,
    private readonly sending: Deliveries,
    private readonly audit: AuditTrail,
    private readonly config: Config,
    private readonly mails: MailSender,
  ) {}

  async list(request: OffsetPageRequest, caller: Principal): Promise<Paged<Webhook>> {
    return this.webhooks.list(caller.accountNo, pageIn(request));
  }

  async create(request: CreateWebhookRequest, caller: Principal): Promise<WebhookWithSecret> {
    const format = toFormat(request.format);
    const url = this.#addressOf(format, request);
    if (url === undefined) throw invalidRequest(`${format === 'email' ? 'to' : 'url'} is required`);
    assertSendable(format, request);
    const headers = checkedHeaders(request.headers) ?? null;
    const wanted = { url, format, events: [...new Set(request.events)], headers };
    return this.webhooks.create(caller, wanted, this.#audited('create', caller));
  }

  async get(id: string, caller: Principal): Promise<Webhook> {
    const webhook = isUuid(id) ? await this.webhooks.find(caller.accountNo, id) : undefined;
    if (!webhook) throw unknown();
    return webhook;
  }

  async update(id: string, request: UpdateWebhookRequest, caller: Principal): Promise<Webhook> {
    const { format } = await this.get(id, caller);
    assertSendable(format, request);
    const changes = {
      url: this.#addressOf(format, request),
      events: request.events && [...new Set(request.events)],
      headers: checkedHeaders(request.headers),
      disabled: request.disabled,
    };
    const audited = this.#audited('update', caller);
    const webhook = await this.webhooks.update(caller.accountNo, id, changes, audited);
    if (!webhook) throw unknown();
    return webhook;
  }

  async delete(id: string, caller: Principal): Promise<void> {
    const audited = this.#audited('delete', caller);
    if (!isUuid(id) || !(await this.webhooks.delete(caller.accountNo, id, audited))) throw unknown();
  }

  async test(id: string, caller: Principal): Promise<Delivery> {
    const webhook = await this.get(id, caller);
    const delivery = await this.sending.test(webhook, this.#audited('use', caller));
    if (!delivery) throw unknown();
    return delivery;
  }

  async rotate(id: string, caller: Principal): Promise<WebhookWithSecret> {
    const audited = this.#audited('rotate', caller);
    const rotated = isUuid(id) ? await this.webhooks.rotate(caller.accountNo, id, audited) : undefined;
    if (!rotated) throw unknown();
    return rotated;
  }

  async deliveries(id: string, request: OffsetPageRequest, caller: Principal): Promise<Paged<Delivery>> {
    const webhook = await this.get(id, caller);
    return this.queue.list(webhook.id, pageIn(request));
  }

  async resend(id: string, deliveryId: string, caller: Principal): Promise<Delivery> {
    const webhook = await this.get(id, caller);
    const audited = this.#audited('use', caller);
    const delivery = isUuid(deliveryId) ? await this.sending.resend(webhook, deliveryId, audited) : undefined;
    if (!delivery) throw notFound('No delivery of this webhook has this id');
    return delivery;
  }

  /** The address for a webhook of this format; undefined = not in the request. */
  #addressOf(format: WebhookFormat, { url, to }: Pick<UpdateWebhookRequest, 'url' | 'to'>): string | undefined {
    if (format !== 'email') {
      if (to !== undefined) throw invalidRequest('to is only for the format email: set url instead');
      return url === undefined ? undefined : checkedUrl(url, this.config.values.WEBHOOK_PRIVATE_HOSTS).href;
    }
    if (url !== undefined) throw invalidRequest('The format email requires to instead of url');
    if (to === undefined) return undefined;
    if (!this.mails.isConfigured)
      throw conflict('E-mail is not configured: the operator must set SMTP_URL and SMTP_FROM');
    return MAILTO + to;
  }

  #audited(action: AuditAction, by: Principal): InTransaction<Webhook> {
    return ({ id }, session) => this.audit.record({ by, action, kind: 'webhook', id }, session);
  }
}

/**
 * Throws invalid_request if the format does not support the events or the headers: chats and e-mail do not support
 * records of calls, and e-mail does not support additional headers.
 */
function assertSendable(
  format: WebhookFormat,
  { events, headers }: Pick<UpdateWebhookRequest, 'events' | 'headers'>,
): void {
  if (isForPeople(format) && events?.includes('generation.completed'))
    throw invalidRequest('events must not contain generation.completed: only the formats signed and otlp support it');
  if (format === 'email' && headers) throw invalidRequest('headers is not allowed with the format email');
}
