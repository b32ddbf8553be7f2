import { Injectable } from '@nestjs/common';
import { InternKeys, type KeyLimit } from '../auth/intern-keys.js';
import type { SqlSession } from '../database/sql.js';
import type { ApprovalMode } from '../runtimes/turn.js';

/** Settings of an intern that are not part of its record. */
export interface InternSettings extends KeyLimit {
  /** Exact host names, reachable in addition to the hosts of the intern's secrets. */
  readonly allowedHosts: readonly string[];
  /** The mode of chats that do not set one. */
  readonly approvalMode: ApprovalMode;
}

/** Reads and writes the settings of interns. The caller must have checked the access to the intern. */
@Injectable()
export class InternSettingsRows {
  constructor(private readonly keys: InternKeys) {}

  /** The limit is read from the intern's key, if there is one, because key operations change it too. */
  async read(session: SqlSession, internId: string): Promise<InternSettings> {
    const [stored] = await session.query<InternSettings>(
      `select limit_nano as "limitNano", limit_reset as "limitReset", allowed_hosts as "allowedHosts",
         approval_mode as "approvalMode"
       from intern where id = $1`,
      [internId],
    );
    return { ...stored!, ...(await this.keys.limitOf(session, internId)) };
  }

  async write(session: SqlSession, internId: string, settings: InternSettings): Promise<void> {
    const { limitNano, limitReset, allowedHosts, approvalMode } = settings;
    await session.query(
      `with changed as (
         update intern set limit_nano = $2, limit_reset = $3, allowed_hosts = $4, approval_mode = $5
         where id = $1 returning id)
       select pg_notify('intern_settings_changed', id::text) from changed`,
      [internId, limitNano, limitReset, allowedHosts, approvalMode],
    );
    await this.keys.setLimit(session, internId, settings);
  }
}
