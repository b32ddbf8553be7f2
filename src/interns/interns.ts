import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { InternKeys } from '../auth/intern-keys.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { isUuid } from '../kernel/ids.js';
import { internErrors } from './intern.errors.js';
import { auditActorOf, type Actor, type InternFields, type InternRecord } from './intern-record.js';
import { InternRows, isNameTaken } from './intern-rows.js';
import { InternSettingsRows, type InternSettings } from './intern-settings.js';
import { outcomeOf, type InternRequest, type InternStatus } from './lifecycle.js';

type Owner = Pick<Actor, 'workspaceId' | 'userId'>;

interface ListedIntern extends InternRecord {
  readonly no: number;
}

interface InternFilter {
  /** Empty = all. */
  readonly statuses: readonly InternStatus[];
  /** The `no` of the last intern on the previous page. */
  readonly startingAfter: number | null;
  readonly limit: number;
}

/** The columns of an InternRecord. */
const COLUMNS = `id, name, description, instructions, model, status,
  last_failure_message as "lastFailureMessage", progress_step as "progressStep", hostname,
  workspace_id as "workspaceId", vault_id as "vaultId", attached_vault_id as "attachedVaultId",
  created_at as "createdAt", updated_at as "updatedAt"`;

const VISIBLE = 'from intern where id = $1 and workspace_id = $2 and creator_user_id = $3';

/** The operations of callers on their interns. lifecycle.ts decides which are accepted. */
@Injectable()
export class Interns {
  constructor(
    private readonly sql: Sql,
    private readonly rows: InternRows,
    private readonly audit: AuditTrail,
    private readonly keys: InternKeys,
    private readonly settings: InternSettingsRows,
  ) {}

  /** The member's own interns in the workspace, newest first. */
  list(actor: Actor, { statuses, startingAfter, limit }: InternFilter): Promise<ListedIntern[]> {
    return this.sql.query<ListedIntern>(
      `select ${COLUMNS}, no from intern
       where workspace_id = $1 and creator_user_id = $2
         and ($3::text[] is null or status = any($3)) and ($4::int is null or no < $4)
       order by no desc limit $5`,
      [actor.workspaceId, actor.userId, statuses.length > 0 ? statuses : null, startingAfter, limit],
    );
  }

  async find(actor: Owner, id: string): Promise<InternRecord | undefined> {
    return isUuid(id) ? this.#read(this.sql, actor, id) : undefined;
  }

  async get(actor: Owner, id: string): Promise<InternRecord> {
    const intern = await this.find(actor, id);
    if (!intern) throw internErrors.notFound();
    return intern;
  }

  async update(actor: Actor, id: string, fields: InternFields): Promise<InternRecord> {
    try {
      return await this.#request(actor, id, 'update', (session) => this.rows.setFields(session, id, fields));
    } catch (error) {
      throw isNameTaken(error) ? internErrors.nameTaken(fields.name!) : error;
    }
  }

  async settingsOf(actor: Owner, id: string): Promise<InternSettings> {
    return this.settings.read(this.sql, (await this.get(actor, id)).id);
  }

  /** Takes effect immediately on every replica. Returns the new settings. */
  async replaceSettings(actor: Actor, id: string, settings: InternSettings): Promise<InternSettings> {
    let replaced = settings;
    await this.#request(actor, id, 'update', async (session) => {
      await this.settings.write(session, id, settings);
      replaced = await this.settings.read(session, id);
    });
    return replaced;
  }

  /** Queues the intern for a worker to boot. Does nothing if it is already queued, provisioning or running. */
  async provision(actor: Actor, id: string): Promise<void> {
    await this.#request(actor, id, 'provision', async (session, outcome) => {
      if (outcome !== 'same') await this.rows.provision(session, id);
    });
  }

  /**
   * Suspends the intern. The worker that runs it then stops the runtime and releases its lease on the intern. If the
   * worker was killed, the runtime ends before the lease expires, and another worker then cleans up.
   */
  async suspend(actor: Actor, id: string): Promise<void> {
    await this.#request(actor, id, 'suspend', async (session, outcome) => {
      if (outcome === 'same') return;
      await this.rows.suspend(session, id);
      await this.keys.revoke(session, id);
    });
  }

  /** `acknowledgeLoss`: delete the intern even if its disk cannot be removed. */
  async delete(actor: Actor, id: string, acknowledgeLoss: boolean): Promise<void> {
    await this.#request(actor, id, 'delete', async (session, outcome) => {
      if (acknowledgeLoss) await this.rows.acknowledgeLoss(session, id);
      if (outcome === 'same') return;
      await this.rows.startDestroying(session, id);
      await this.keys.revoke(session, id);
    });
  }

  /**
   * Resolves when the suspended intern has no runtime left or is no longer suspended, or after `maxPolls` polls.
   */
  async untilAtRest(id: string, pause: () => Promise<void>, maxPolls: number): Promise<void> {
    for (let poll = 0; poll < maxPolls; poll++) {
      const [row] = await this.sql.query<{ booted: boolean }>(
        `select booted_fence is not null as booted from intern where id = $1 and status = 'stopped'`,
        [id],
      );
      if (!row?.booted) return;
      await pause();
    }
  }

  async #request(
    actor: Actor,
    id: string,
    request: InternRequest,
    act: (session: SqlSession, outcome: InternStatus | 'same' | 'gone') => Promise<void>,
  ): Promise<InternRecord> {
    if (!isUuid(id)) throw internErrors.notFound();
    return this.sql.transaction(async (session) => {
      const [found] = await session.query<{ status: InternStatus }>(`select status ${VISIBLE} for update`, [
        id,
        actor.workspaceId,
        actor.userId,
      ]);
      if (!found) throw internErrors.notFound();
      const outcome = outcomeOf(found.status, request);
      if (outcome === 'refused') throw internErrors.busy(found.status, request);
      await act(session, outcome);
      await this.audit.record({ by: auditActorOf(actor), action: request, kind: 'intern', id }, session);
      return (await this.#read(session, actor, id))!;
    });
  }

  async #read(session: SqlSession, { workspaceId, userId }: Owner, id: string): Promise<InternRecord | undefined> {
    const [intern] = await session.query<InternRecord>(`select ${COLUMNS} ${VISIBLE}`, [id, workspaceId, userId]);
    return intern;
  }
}
