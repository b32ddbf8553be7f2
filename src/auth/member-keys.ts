import { Injectable } from '@nestjs/common';
import type { SqlSession } from '../database/sql.js';
import type { Role } from '../kernel/access/permissions.js';
import { Clock } from '../kernel/clock.js';
import { KeyDirectory } from './key-directory.js';

/** Identifies the row of a member. */
export interface MemberId {
  readonly accountId: string;
  readonly userId: string;
}

/**
 * Selects keys of a member: `own` = all except keys of sessions and interns; `management`: the management keys among
 * them; `session`: the keys of console sessions. Keys of interns need no selection, because an intern's key is refused
 * if the key that created the intern is refused.
 */
type KeySelection = keyof typeof SELECTIONS;

const SELECTIONS = {
  own: "console_session_id is null and key_class <> 'intern'",
  management: "console_session_id is null and key_class = 'management'",
  session: 'console_session_id is not null',
} as const;

/** Changes the keys of a member in the transaction that changes the member. Locks them in the order of `no`. */
@Injectable()
export class MemberKeys {
  constructor(
    private readonly clock: Clock,
    private readonly directory: KeyDirectory,
  ) {}

  /** Disables the selected keys. Returns the hashes of the keys that were enabled before. */
  disable(session: SqlSession, holder: MemberId, selection: KeySelection): Promise<string[]> {
    return this.#change(session, holder, `not disabled and ${SELECTIONS[selection]}`, 'disabled = true');
  }

  /** Sets `role` on the management keys that have one of the roles `above`. Returns the hashes of these keys. */
  lower(session: SqlSession, holder: MemberId, role: Role, above: readonly Role[]): Promise<string[]> {
    const condition = `${SELECTIONS.management} and role = any ($5)`;
    return this.#change(session, holder, condition, 'role = $4', [role, above]);
  }

  /** Returns the hashes of the keys that act with the workspace roles of the members, for `forget`. */
  async ofMembers(session: SqlSession, accountId: string, userIds: readonly string[]): Promise<string[]> {
    const keys = await session.query<{ hash: string }>(
      `select hash from api_key
       where account_id = $1 and creator_user_id = any ($2::uuid[]) and role is not null and deleted_at is null`,
      [accountId, userIds],
    );
    return keys.map(({ hash }) => hash);
  }

  /** Must be called after the commit, so that this process does not wait for the notification. */
  forget(hashes: readonly string[]): void {
    for (const hash of hashes) this.directory.forget(hash);
  }

  async #change(
    session: SqlSession,
    { accountId, userId }: MemberId,
    condition: string,
    assignment: string,
    params: readonly unknown[] = [],
  ): Promise<string[]> {
    const changed = await session.query<{ hash: string }>(
      `with locked as (
         select no from api_key
         where account_id = $1 and creator_user_id = $2 and deleted_at is null and ${condition}
         order by no for update)
       update api_key k set ${assignment}, updated_at = $3 from locked where k.no = locked.no returning k.hash`,
      [accountId, userId, this.clock.now(), ...params],
    );
    return changed.map(({ hash }) => hash);
  }
}
