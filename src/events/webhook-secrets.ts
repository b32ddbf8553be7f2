import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AuditTrail } from '../audit/audit-trail.js';
import { atMostEntries } from '../kernel/cache-options.js';
import type { SecretValue } from '../kernel/secret-value.js';
import { SecretBox } from '../secrets/secret-box.js';
import type { DueDelivery } from './delivery-queue.js';
import { bindingOfWebhook, type SealedMember } from './webhook-record.js';

const MAX_CACHED = 2_000;
const MAX_CACHE_AGE_MS = 600_000;

interface Opened {
  readonly sealed: Buffer;
  readonly value: SecretValue;
}

/**
 * Opens the secrets of webhooks for deliveries. Records each opening in the audit trail. A secret stays in memory for
 * ten minutes.
 */
@Injectable()
export class WebhookSecrets {
  readonly #opened = new LRUCache<string, Opened>({ ...atMostEntries(MAX_CACHED), ttl: MAX_CACHE_AGE_MS });

  constructor(
    private readonly box: SecretBox,
    private readonly audit: AuditTrail,
  ) {}

  /** The secrets with which a delivery is signed at this time, the current one first. */
  async signing(due: DueDelivery, now: Date): Promise<SecretValue[]> {
    const secrets = due.sealed ? [await this.#open(due, 'secret', due.sealed, 'current')] : [];
    if (due.sealedPrevious && due.previousUntil && due.previousUntil > now)
      secrets.push(await this.#open(due, 'secret', due.sealedPrevious, 'previous'));
    return secrets;
  }

  /** The address of the webhook. The address of a chat is sealed, because it is a credential. */
  async url(due: DueDelivery): Promise<string> {
    return due.sealedUrl ? (await this.#open(due, 'url', due.sealedUrl, 'url')).reveal() : due.url;
  }

  /** The additional headers that the owner has configured. */
  async headers(due: DueDelivery): Promise<Readonly<Record<string, string>>> {
    if (!due.sealedHeaders) return {};
    const text = await this.#open(due, 'headers', due.sealedHeaders, 'headers');
    return JSON.parse(text.reveal()) as Record<string, string>;
  }

  async #open(
    { webhookId, accountId, dataKeyId }: DueDelivery,
    member: SealedMember,
    sealed: Buffer,
    slot: string,
  ): Promise<SecretValue> {
    const key = `${webhookId}:${slot}`;
    const cached = this.#opened.get(key);
    if (cached?.sealed.equals(sealed)) return cached.value;
    await this.audit.record({ by: 'service', action: 'use', kind: 'webhook', id: webhookId, accountId });
    const value = await this.box.open(dataKeyId, bindingOfWebhook(webhookId, member), sealed);
    this.#opened.set(key, { sealed, value });
    return value;
  }
}
