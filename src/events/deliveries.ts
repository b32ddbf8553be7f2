import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Config } from '../config/config.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { conflict } from '../kernel/errors/errors.js';
import { DeliveryQueue, type DueDelivery, type Lane } from './delivery-queue.js';
import { MAX_RETRY_MS, nextAttempt } from './delivery-schedule.js';
import { TEST_EVENT } from './event-types.js';
import { OutgoingDeliveries } from './outgoing-deliveries.js';
import type { Delivery, Webhook } from './webhook-record.js';
import type { SendOutcome } from './webhook-sender.port.js';
import type { InTransaction } from '../database/session-of.js';

/** A lease exceeds the timeout of an attempt by this time, so that no other replica repeats a running attempt. */
const LEASE_MARGIN_MS = 10_000;

const isSuccess = (outcome: SendOutcome): outcome is { status: number } =>
  'status' in outcome && outcome.status >= 200 && outcome.status < 300;

/** Attempts deliveries and reports the results. */
@Injectable()
export class Deliveries {
  readonly #log = new Logger('webhooks');

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly queue: DeliveryQueue,
    private readonly audit: AuditTrail,
    private readonly outgoing: OutgoingDeliveries,
  ) {}

  take(lane: Lane, busy: readonly string[], limit: number): Promise<DueDelivery[]> {
    return this.queue.take(this.clock.now(), { leaseMs: this.#leaseMs, lane, busy, limit });
  }

  /**
   * Sends a delivery once and records the outcome. Rejects only if the database is unavailable; the attempt is then
   * repeated after its lease has ended.
   */
  async attempt(due: DueDelivery): Promise<void> {
    const outcome = await this.outgoing.send(due);
    if (isSuccess(outcome)) return this.queue.succeed(due, outcome.status);
    if (due.type === TEST_EVENT) return this.queue.fail(due, outcome, null);
    await this.#fail(due, outcome);
  }

  /** Sends a test event immediately, without retries. Undefined if the webhook was deleted meanwhile. */
  async test(webhook: Webhook, inTransaction: InTransaction<Webhook>): Promise<Delivery | undefined> {
    const due = await this.sql.transaction(async (session) => {
      await inTransaction(webhook, session);
      return this.queue.addTest(session, webhook.id, this.clock.now(), this.#leaseMs);
    });
    if (!due) return undefined;
    await this.attempt(due);
    return this.queue.find(due.id);
  }

  /**
   * Makes a delivery due now, even if it has ended. Its event id stays the same. Undefined if the webhook has no such
   * delivery. Throws `conflict` if the delivery cannot be sent.
   */
  async resend(webhook: Webhook, id: string, inTransaction: InTransaction<Webhook>): Promise<Delivery | undefined> {
    return this.sql.transaction(async (session) => {
      const locked = await this.queue.lock(session, webhook.id, id);
      if (!locked) return undefined;
      if (webhook.disabledAt) throw conflict('The webhook is disabled: enable it before you resend');
      if (locked.isEmptied) throw conflict('The texts of these calls are no longer stored');
      await this.queue.makeDue(session, id);
      await inTransaction(webhook, session);
      return this.queue.find(id, session);
    });
  }

  get #leaseMs(): number {
    return this.config.values.WEBHOOK_TIMEOUT_MS + LEASE_MARGIN_MS;
  }

  async #fail(due: DueDelivery, outcome: SendOutcome): Promise<void> {
    const now = this.clock.now();
    const isDisabled = await this.sql.transaction(async (session) => {
      // Locks the webhook before its deliveries, in the same order as a deletion.
      const pausedUntil = endOfPause(outcome, now);
      const since = await this.queue.noteFailing(due, { now, pausedUntil }, session);
      const next = nextAttempt(due.attempt, due.firstAttemptAt, now);
      await this.queue.fail(due, outcome, next && later(next, pausedUntil), session);
      if (!since || now.getTime() - since.getTime() < MAX_RETRY_MS) return false;
      await this.#disable(due, now, session);
      return true;
    });
    if (isDisabled)
      this.#log.warn(`The webhook ${due.webhookId} is disabled: nothing could be delivered to it for three days`);
  }

  async #disable(due: DueDelivery, now: Date, session: SqlSession): Promise<void> {
    await this.queue.disable(due, now, session);
    const { webhookId: id, accountId } = due;
    await this.audit.record({ by: 'service', action: 'update', kind: 'webhook', id, accountId }, session);
  }
}

const endOfPause = (outcome: SendOutcome, now: Date): Date | null =>
  'status' in outcome && outcome.retryAfterMs !== undefined ? new Date(now.getTime() + outcome.retryAfterMs) : null;

const later = (time: Date, other: Date | null): Date => (other !== null && other > time ? other : time);
