import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { InternKeys } from '../../auth/intern-keys.js';
import { Notifications } from '../../database/notifications.js';
import { Sql } from '../../database/sql.js';
import { Periodic } from '../../kernel/scheduling/periodic.js';
import { InternRows } from '../intern-rows.js';

/** If a notification is lost, the intern is suspended within this time. */
const CHECK_EVERY_MS = 10_000;

/**
 * Suspends running interns whose member was removed or deactivated. Each check reads all rows. An intern is therefore
 * found even if the service crashed after the change, or if the intern was being provisioned at that time. The disk and
 * the vault are kept.
 */
@Injectable()
export class OrphanedInterns implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger('interns');
  readonly #checks = new Periodic(
    () => this.#suspendAll(),
    ({ message }) => this.#log.warn(`cannot look for interns without a member, and will try again: ${message}`),
  );

  constructor(
    private readonly sql: Sql,
    private readonly rows: InternRows,
    private readonly keys: InternKeys,
    private readonly audit: AuditTrail,
    notifications: Notifications,
  ) {
    notifications.on('member_ended', () => void this.#checks.trigger());
    notifications.onGap(() => void this.#checks.trigger());
  }

  onApplicationBootstrap(): void {
    this.#checks.start(CHECK_EVERY_MS);
  }

  onModuleDestroy(): Promise<void> {
    return this.#checks.stop();
  }

  #suspendAll(): Promise<void> {
    return this.sql.transaction(async (session) => {
      const orphaned = await session.query<{ id: string; accountId: string }>(
        `select i.id, i.account_id as "accountId" from intern i
         where i.status = 'running' and not exists (
           select 1 from member m
           where m.account_id = i.account_id and m.user_id = i.creator_user_id and m.deactivated_at is null)
         order by i.no for update of i skip locked`,
      );
      for (const { id, accountId } of orphaned) {
        await this.rows.suspend(session, id);
        await this.keys.revoke(session, id);
        await this.audit.record({ by: 'service', action: 'suspend', kind: 'intern', id, accountId }, session);
      }
    });
  }
}
