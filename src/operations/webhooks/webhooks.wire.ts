import { MAILTO, wireEventId, type Delivery, type Webhook, type WebhookFormat } from '../../events/webhook-record.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { SecretValue } from '../../kernel/secret-value.js';
import type { CreateWebhookRequest, WireFormat } from './dto/webhook.request.dto.js';
import type { DeliveryRecord, WebhookRecord } from './dto/webhook.response.dto.js';

/** The database stores `signed` as `standard`, because rows that earlier versions wrote contain this name. */
const toWireFormat = (format: WebhookFormat): WireFormat => (format === 'standard' ? 'signed' : format);

export const toFormat = (format: CreateWebhookRequest['format'] = 'signed'): WebhookFormat =>
  format === 'signed' ? 'standard' : format;

export const toWebhookRecord = (webhook: Webhook): WebhookRecord => ({
  id: webhook.id,
  url: webhook.format === 'email' ? null : webhook.url,
  to: webhook.format === 'email' ? webhook.url.slice(MAILTO.length) : null,
  format: toWireFormat(webhook.format),
  events: [...webhook.events],
  disabled: webhook.disabledAt !== null,
  disabled_reason: webhook.disabledBy === 'service' ? 'failing' : webhook.disabledBy,
  created_at: webhook.createdAt.toISOString(),
  updated_at: webhook.updatedAt?.toISOString() ?? null,
});

export const toDeliveryRecord = (delivery: Delivery): DeliveryRecord => ({
  id: delivery.id,
  event_id: wireEventId(delivery.eventId),
  type: delivery.type,
  status: delivery.state,
  attempts: delivery.attempts,
  response_status: delivery.lastStatus,
  error: delivery.lastError,
  created_at: delivery.createdAt.toISOString(),
  last_attempt_at: delivery.lastAttemptAt?.toISOString() ?? null,
  next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
});

const MAX_HEADERS = 20;
const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const VALUE = /^[\x20-\x7e]{0,2000}$/;
/** Headers that the delivery sets itself, or that belong to the connection. */
const RESERVED =
  /^(host|content-.*|transfer-encoding|connection|keep-alive|proxy-.*|te|trailer|upgrade|expect|webhook-.*)$/i;

/**
 * Checks the headers of a request, and returns them as the secret to store. Null = remove all; undefined = unchanged.
 */
export function checkedHeaders(headers: object | null | undefined): SecretValue | null | undefined {
  if (headers === undefined || headers === null) return headers;
  const entries = Object.entries(headers as Record<string, unknown>);
  if (entries.length > MAX_HEADERS) throw invalidRequest(`headers must have at most ${MAX_HEADERS} members`);
  for (const [name, value] of entries) {
    if (!NAME.test(name) || RESERVED.test(name)) throw invalidRequest('headers must not have a member of this name');
    if (typeof value !== 'string' || !VALUE.test(value))
      throw invalidRequest('headers must have values of at most 2000 printable ASCII characters');
  }
  return entries.length === 0 ? null : new SecretValue(JSON.stringify(headers));
}
