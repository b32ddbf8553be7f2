import { Injectable } from '@nestjs/common';
import type { InTransaction } from '../database/session-of.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { conflict, invalidRequest } from '../kernel/errors/errors.js';
import { newId } from '../kernel/ids.js';
import type { Page, Paged } from '../kernel/page.js';
import { SecretValue } from '../kernel/secret-value.js';
import { SecretBox } from '../secrets/secret-box.js';
import {
  bindingOfWebhook,
  isChat,
  isForPeople,
  shownUrl,
  WEBHOOK_COLUMNS,
  type SealedMember,
  type Webhook,
  type WebhookFormat,
} from './webhook-record.js';
import { newWebhookSecret } from './webhook-signature.js';

const MAX_WEBHOOKS_PER_ACCOUNT = 100;
/** How long deliveries are signed with the previous secret in addition to the new one. */
const GRACE_MS = 86_400_000;

interface Owner {
  readonly accountId: string;
  readonly accountNo: number;
}

interface NewWebhook {
  readonly url: string;
  readonly format: WebhookFormat;
  readonly events: readonly string[];
  /** A JSON object of headers that are sent with each delivery. */
  readonly headers: SecretValue | null;
}

/** An absent member is not changed. */
interface WebhookChanges {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly headers?: SecretValue | null;
  readonly disabled?: boolean;
}

/** A webhook with its secret. The secret is returned only once; null if the format has none. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: SecretValue | null;
}

interface SealingPlace {
  readonly id: string;
  readonly dataKeyId: string;
}

interface LockedWebhook extends SealingPlace {
  readonly url: string;
  readonly format: WebhookFormat;
  readonly hasHeaders: boolean;
}

/** The webhooks of accounts. Each webhook has its own data key, which seals its secrets. */
@Injectable()
export class Webhooks {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly box: SecretBox,
  ) {}

  /** Oldest first. */
  async list(accountNo: number, { offset, limit }: Page): Promise<Paged<Webhook>> {
    const items = await this.sql.query<Webhook>(
      `select ${WEBHOOK_COLUMNS} from webhook w where w.account_no = $1 order by w.id offset $2 limit $3`,
      [accountNo, offset, limit],
    );
    return { items, total: await this.#count(accountNo) };
  }

  async find(accountNo: number, id: string): Promise<Webhook | undefined> {
    const [webhook] = await this.sql.query<Webhook>(
      `select ${WEBHOOK_COLUMNS} from webhook w where w.account_no = $1 and w.id = $2`,
      [accountNo, id],
    );
    return webhook;
  }

  async create(owner: Owner, wanted: NewWebhook, inTransaction: InTransaction<Webhook>): Promise<WebhookWithSecret> {
    const { format, url, events } = wanted;
    const secret = isForPeople(format) ? null : newWebhookSecret();
    const id = newId(this.clock.now().getTime());
    const webhook = await this.sql.transaction(async (session) => {
      // Concurrent creations wait for each other, so that none exceeds the maximum.
      await session.query('select 1 from account where no = $1 for no key update', [owner.accountNo]);
      if ((await this.#count(owner.accountNo, session)) >= MAX_WEBHOOKS_PER_ACCOUNT)
        throw conflict(`An account may have ${MAX_WEBHOOKS_PER_ACCOUNT} webhooks: delete one first`);
      const place = { id, dataKeyId: await this.box.createDataKey(session) };
      const sealed = await this.#seal(session, place, 'secret', secret);
      const headers = await this.#seal(session, place, 'headers', wanted.headers);
      const sealedUrl = isChat(format) ? await this.#seal(session, place, 'url', new SecretValue(url)) : null;
      const [created] = await session.query<Webhook>(
        `insert into webhook as w (id, account_id, account_no, url, format, events, data_key_id, sealed,
           sealed_headers, sealed_url, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning ${WEBHOOK_COLUMNS}`,
        [
          id,
          owner.accountId,
          owner.accountNo,
          shownUrl(format, url),
          format,
          events,
          place.dataKeyId,
          sealed,
          headers,
          sealedUrl,
          this.clock.now(),
        ],
      );
      await inTransaction(created!, session);
      return created!;
    });
    return { webhook, secret };
  }

  /** Undefined if the account has no such webhook. Enabling the webhook or changing its URL clears its failures. */
  async update(
    accountNo: number,
    id: string,
    { url, events, headers, disabled }: WebhookChanges,
    inTransaction: InTransaction<Webhook>,
  ): Promise<Webhook | undefined> {
    return this.sql.transaction(async (session) => {
      const locked = await this.#lock(session, accountNo, id);
      if (!locked) return undefined;
      const { format } = locked;
      if (headers === undefined) assertSameOrigin(locked, url);
      const sealed = await this.#seal(session, locked, 'headers', headers ?? null);
      const secretUrl = url !== undefined && isChat(format) ? new SecretValue(url) : null;
      const sealedUrl = await this.#seal(session, locked, 'url', secretUrl);
      const [updated] = await session.query<Webhook>(
        `update webhook w set updated_at = $2, url = coalesce($3, w.url), events = coalesce($4, w.events),
           sealed_headers = case when $5 then $6 else w.sealed_headers end, sealed_url = coalesce($8, w.sealed_url),
           paused_until = case when $3 is null then w.paused_until end,
           failing_since = case when $3 is not null or $7 = false then null else w.failing_since end,
           disabled_at = case $7 when true then coalesce(w.disabled_at, $2) when false then null
             else w.disabled_at end,
           disabled_by = case $7 when true then coalesce(w.disabled_by, 'owner') when false then null
             else w.disabled_by end
         where w.id = $1 returning ${WEBHOOK_COLUMNS}`,
        [
          id,
          this.clock.now(),
          url === undefined ? null : shownUrl(format, url),
          events ?? null,
          headers !== undefined,
          sealed,
          disabled ?? null,
          sealedUrl,
        ],
      );
      await inTransaction(updated!, session);
      return updated!;
    });
  }

  /**
   * Replaces the secret. For one more day, deliveries are also signed with the previous secret. Undefined if the
   * account has no such webhook. Throws `conflict` if the format has no secret.
   */
  async rotate(
    accountNo: number,
    id: string,
    inTransaction: InTransaction<Webhook>,
  ): Promise<WebhookWithSecret | undefined> {
    const secret = newWebhookSecret();
    return this.sql.transaction(async (session) => {
      const locked = await this.#lock(session, accountNo, id);
      if (!locked) return undefined;
      if (isForPeople(locked.format))
        throw conflict(`A webhook of the format ${locked.format} has no secret to rotate`);
      const now = this.clock.now();
      const sealed = await this.#seal(session, locked, 'secret', secret);
      const [webhook] = await session.query<Webhook>(
        `update webhook w set updated_at = $2, sealed_previous = w.sealed, previous_until = $3, sealed = $4
         where w.id = $1 returning ${WEBHOOK_COLUMNS}`,
        [id, now, new Date(now.getTime() + GRACE_MS), sealed],
      );
      await inTransaction(webhook!, session);
      return { webhook: webhook!, secret };
    });
  }

  /** Deletes a webhook and its deliveries, even due ones. False if the account has no such webhook. */
  async delete(accountNo: number, id: string, inTransaction: InTransaction<Webhook>): Promise<boolean> {
    return this.sql.transaction(async (session) => {
      const [webhook] = await session.query<Webhook & { readonly dataKeyId: string }>(
        `delete from webhook w where w.account_no = $1 and w.id = $2
         returning ${WEBHOOK_COLUMNS}, w.data_key_id as "dataKeyId"`,
        [accountNo, id],
      );
      if (!webhook) return false;
      await session.query('delete from webhook_delivery where webhook_id = $1', [id]);
      await this.box.destroyDataKey(webhook.dataKeyId, session);
      await inTransaction(webhook, session);
      return true;
    });
  }

  async #lock(session: SqlSession, accountNo: number, id: string): Promise<LockedWebhook | undefined> {
    const [row] = await session.query<LockedWebhook>(
      `select id, data_key_id as "dataKeyId", url, format, sealed_headers is not null as "hasHeaders"
       from webhook where account_no = $1 and id = $2 for update`,
      [accountNo, id],
    );
    return row;
  }

  async #seal(
    session: SqlSession,
    { id, dataKeyId }: SealingPlace,
    member: SealedMember,
    value: SecretValue | null,
  ): Promise<Buffer | null> {
    return value && this.box.seal(dataKeyId, bindingOfWebhook(id, member), value, session);
  }

  async #count(accountNo: number, session: SqlSession = this.sql): Promise<number> {
    const [row] = await session.query<{ total: number }>(
      'select count(*)::int as total from webhook where account_no = $1',
      [accountNo],
    );
    return row!.total;
  }
}

/**
 * Headers are credentials for one receiver. If the origin of the URL changes, the request must replace or remove the
 * headers, so that the stored headers are never sent to another receiver.
 */
function assertSameOrigin({ url, hasHeaders }: LockedWebhook, next: string | undefined): void {
  if (hasHeaders && next !== undefined && new URL(next).origin !== new URL(url).origin)
    throw invalidRequest(
      'headers must be sent with a url of another host, because the stored headers are for the current host',
    );
}
