import { Injectable } from '@nestjs/common';
import { Sql, type SqlSession } from '../database/sql.js';
import type { Page, Paged } from '../kernel/page.js';
import { dropContents } from './event-contents.js';
import type { SendOutcome } from './webhook-sender.port.js';
import { DELIVERY_COLUMNS, type Delivery, type WebhookFormat } from './webhook-record.js';
import { TEST_EVENT } from './event-types.js';

/** A delivery that this replica attempts, with all data for the attempt. */
export interface DueDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly eventAt: Date;
  /** Whether `data` contains texts of calls. */
  readonly holdsContent: boolean;
  /** The number of this attempt, starting at 1. It is a fence: the report of an earlier attempt changes nothing. */
  readonly attempt: number;
  readonly firstAttemptAt: Date;
  readonly webhookId: string;
  readonly accountId: string;
  readonly accountNo: number;
  readonly url: string;
  readonly format: WebhookFormat;
  readonly dataKeyId: string;
  /** The signing secret; null = the format has none. */
  readonly sealed: Buffer | null;
  readonly sealedPrevious: Buffer | null;
  readonly previousUntil: Date | null;
  readonly sealedHeaders: Buffer | null;
  readonly sealedUrl: Buffer | null;
}

const DUE_COLUMNS = `d.id, d.event_id as "eventId", e.type, e.data, e.created_at as "eventAt",
  e.holds_content as "holdsContent", d.attempts as attempt,
  d.first_attempt_at as "firstAttemptAt", w.id as "webhookId", w.account_id as "accountId",
  w.account_no as "accountNo", w.url, w.format, w.data_key_id as "dataKeyId", w.sealed,
  w.sealed_previous as "sealedPrevious", w.previous_until as "previousUntil", w.sealed_headers as "sealedHeaders",
  w.sealed_url as "sealedUrl"`;

const ATTEMPTED = `attempts = d.attempts + 1, last_attempt_at = $1,
  first_attempt_at = coalesce(d.first_attempt_at, $1), lease_until = clock_timestamp() + $2 * interval '1 ms'`;

/**
 * Selects the webhook $1 if it still has the address of the attempt. The outcome of an attempt at a replaced address
 * does not count.
 */
const HAS_ADDRESS = 'id = $1 and url = $2 and sealed_url is not distinct from $3';

/** The webhooks that a lane serves: either the failing webhooks or all other webhooks. */
export interface Lane {
  readonly isFailing: boolean;
  /** Maximum number of concurrent deliveries to one webhook. */
  readonly perWebhook: number;
}

/** The maximum number of pending deliveries to count. */
export const MAX_COUNTED = 10_000;

/** Unsent deliveries of all accounts. */
export interface DeliveryBacklog {
  /** At most MAX_COUNTED + 1, which means more than MAX_COUNTED. */
  readonly pending: number;
  /** When the oldest pending delivery was created; null = there are none. */
  readonly oldestAt: Date | null;
  /** The number of webhooks whose last attempt failed, except disabled ones. */
  readonly failing: number;
  /** The number of webhooks that the service disabled after failures. */
  readonly disabled: number;
}

interface LockedDelivery {
  /** Whether the texts of the calls in the event were deleted. */
  readonly isEmptied: boolean;
}

/** The due deliveries, shared by all replicas. Leases use the database's clock. */
@Injectable()
export class DeliveryQueue {
  constructor(private readonly sql: Sql) {}

  /** Leases due deliveries for an attempt. Skips the webhooks in `busy`. */
  async take(
    now: Date,
    { leaseMs, lane, busy, limit }: { leaseMs: number; lane: Lane; busy: readonly string[]; limit: number },
  ): Promise<DueDelivery[]> {
    return this.sql.query<DueDelivery>(
      `with due as materialized (
         select q.id from webhook w cross join lateral (
           select o.id from webhook_delivery o
           where o.webhook_id = w.id and o.next_at <= $1
             and (o.lease_until is null or o.lease_until <= clock_timestamp())
           order by o.next_at limit $3 for update skip locked) q
         where w.disabled_at is null and (w.paused_until is null or w.paused_until <= $1)
           and w.id <> all($4::uuid[]) and (w.failing_since is not null) = $5
         order by random() limit $6)
       update webhook_delivery d set ${ATTEMPTED}
       from due, event e, webhook w where d.id = due.id and e.id = d.event_id and w.id = d.webhook_id
       returning ${DUE_COLUMNS}`,
      [now, leaseMs, lane.perWebhook, busy, lane.isFailing, limit],
    );
  }

  /**
   * Adds a test event, and leases its delivery to one webhook for the only attempt. The webhook may be disabled.
   * Undefined if it does not exist.
   */
  async addTest(session: SqlSession, webhookId: string, now: Date, leaseMs: number): Promise<DueDelivery | undefined> {
    const [due] = await session.query<DueDelivery>(
      `with w as (select * from webhook where id = $3), e as (
         insert into event (account_no, type, data)
         select w.account_no, '${TEST_EVENT}', jsonb_build_object('webhook_id', w.id) from w returning *
       ), d as (
         insert into webhook_delivery (webhook_id, event_id, attempts, first_attempt_at, last_attempt_at, lease_until)
         select w.id, e.id, 1, $1, $1, clock_timestamp() + $2 * interval '1 ms' from w, e returning *)
       select ${DUE_COLUMNS} from d, e, w`,
      [now, leaseMs, webhookId],
    );
    return due;
  }

  /** Ends the attempt with success. Uses two statements, so that no row lock is held while waiting for another lock. */
  async succeed(due: DueDelivery, status: number): Promise<void> {
    const { id, attempt, webhookId, url, sealedUrl, eventId, holdsContent } = due;
    await this.sql.query(
      `update webhook_delivery set state = 'delivered', next_at = null, lease_until = null, last_status = $3,
         last_error = null
       where id = $1 and attempts = $2`,
      [id, attempt, status],
    );
    await this.sql.query(`update webhook set failing_since = null where ${HAS_ADDRESS} and failing_since is not null`, [
      webhookId,
      url,
      sealedUrl,
    ]);
    if (holdsContent) await dropContents(this.sql, eventId);
  }

  /**
   * Ends the attempt with a failure. `nextAt` null = no further attempt. There is also none if another replica has
   * disabled the webhook since the attempt began.
   */
  async fail(
    { id, attempt }: DueDelivery,
    outcome: SendOutcome,
    nextAt: Date | null,
    session: SqlSession = this.sql,
  ): Promise<void> {
    await session.query(
      `update webhook_delivery set lease_until = null, last_status = $4, last_error = $5,
         state = case when next_at is null or $3::timestamptz is null then 'failed' else 'pending' end,
         next_at = case when next_at is not null then $3::timestamptz end
       where id = $1 and attempts = $2`,
      [id, attempt, nextAt, 'status' in outcome ? outcome.status : null, 'error' in outcome ? outcome.error : null],
    );
  }

  /**
   * Locks the webhook, and records that it is failing and until when sending is paused. A pause that another attempt
   * recorded is never shortened. Returns the time of the first of the consecutive failures; null if the webhook is
   * disabled or deleted, or if its address was changed since the attempt began.
   */
  async noteFailing(
    { webhookId, url, sealedUrl }: DueDelivery,
    { now, pausedUntil }: { readonly now: Date; readonly pausedUntil: Date | null },
    session: SqlSession,
  ): Promise<Date | null> {
    const [row] = await session.query<{ since: Date }>(
      `update webhook set failing_since = coalesce(failing_since, $4), paused_until = greatest(paused_until, $5)
       where ${HAS_ADDRESS} and disabled_at is null returning failing_since as since`,
      [webhookId, url, sealedUrl, now, pausedUntil],
    );
    return row?.since ?? null;
  }

  /** Disables a webhook after failures, ends its pending deliveries, and writes an event. */
  async disable({ webhookId, accountNo, url }: DueDelivery, now: Date, session: SqlSession): Promise<void> {
    await session.query(`update webhook set disabled_at = $2, disabled_by = 'service' where id = $1`, [webhookId, now]);
    await session.query(
      `update webhook_delivery set state = 'failed', next_at = null where webhook_id = $1 and next_at is not null`,
      [webhookId],
    );
    await session.query(
      `insert into event (account_no, type, data)
       values ($1, 'webhook.disabled', jsonb_build_object('webhook_id', $2::uuid, 'url', $3::text))`,
      [accountNo, webhookId, url],
    );
  }

  /** Locks a delivery in order to send it again. Undefined if the webhook has no such delivery. */
  async lock(session: SqlSession, webhookId: string, id: string): Promise<LockedDelivery | undefined> {
    const [row] = await session.query<LockedDelivery>(
      `select e.type = 'generation.completed' and e.data = '{}' as "isEmptied"
       from webhook_delivery d join event e on e.id = d.event_id
       where d.webhook_id = $1 and d.id = $2 for update of d`,
      [webhookId, id],
    );
    return row;
  }

  /** Makes a delivery due, even if it has ended. Its retries start again. */
  async makeDue(session: SqlSession, id: string): Promise<void> {
    await session.query(
      `update webhook_delivery set state = 'pending', next_at = '-infinity', first_attempt_at = null where id = $1`,
      [id],
    );
    await session.query(`select pg_notify('webhook_work', '')`);
  }

  async backlog(timeoutMs: number): Promise<DeliveryBacklog> {
    const [row] = await this.sql.query<DeliveryBacklog>(
      `with pending as (select created_at from webhook_delivery where next_at is not null limit $1)
       select count(*)::int as pending, min(created_at) as "oldestAt",
         (select count(*)::int from webhook where failing_since is not null and disabled_at is null) as failing,
         (select count(*)::int from webhook where disabled_by = 'service') as disabled
       from pending`,
      [MAX_COUNTED + 1],
      { timeoutMs },
    );
    return row!;
  }

  async find(id: string, session: SqlSession = this.sql): Promise<Delivery | undefined> {
    const [delivery] = await session.query<Delivery>(
      `select ${DELIVERY_COLUMNS} from webhook_delivery d join event e on e.id = d.event_id where d.id = $1`,
      [id],
    );
    return delivery;
  }

  /** The log of a webhook, newest first. */
  async list(webhookId: string, { offset, limit }: Page): Promise<Paged<Delivery>> {
    const items = await this.sql.query<Delivery>(
      `select ${DELIVERY_COLUMNS} from webhook_delivery d join event e on e.id = d.event_id
       where d.webhook_id = $1 order by d.created_at desc, d.id offset $2 limit $3`,
      [webhookId, offset, limit],
    );
    const [row] = await this.sql.query<{ total: number }>(
      'select count(*)::int as total from webhook_delivery where webhook_id = $1',
      [webhookId],
    );
    return { items, total: row!.total };
  }
}
