import { Injectable } from '@nestjs/common';
import { KeyNames, type NamedKey, type NameReach } from '../../auth/key-names.js';
import type { Workspace } from '../../database/entities/workspace.entity.js';
import { InternNames, type InternReach, type NamedIntern } from '../../interns/intern-names.js';
import { rowsOf, withRowsOf } from '../../kernel/access/reach.js';
import type { Principal } from '../../kernel/principal.js';
import { MemberNames, type NamedPerson } from '../../members/member-names.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import type { NamesRequest } from './dto/names.request.dto.js';

const MAX_FOUND = 20;

export interface FoundNames {
  readonly keys: readonly NamedKey[];
  readonly people: readonly NamedPerson[];
  readonly workspaces: readonly Workspace[];
  readonly interns: readonly NamedIntern[];
}

/** A caller finds only names of resources that the caller may read. */
@Injectable()
export class NamesService {
  constructor(
    private readonly keys: KeyNames,
    private readonly members: MemberNames,
    private readonly workspaces: Workspaces,
    private readonly interns: InternNames,
  ) {}

  async read(request: NamesRequest, caller: Principal): Promise<FoundNames> {
    const administers = caller.keyClass === 'management';
    const internReach = internsOf(caller);
    const [keys, people, workspaces, interns] = await Promise.all([
      this.keys.named(keysOf(caller), request.api_key_hashes ?? []),
      administers ? this.members.named(withRowsOf(caller, 'members.read'), request.user_ids ?? []) : [],
      administers ? this.workspaces.named(withRowsOf(caller, 'workspaces.read'), request.workspace_ids ?? []) : [],
      internReach ? this.interns.named(internReach, request.intern_ids ?? []) : [],
    ]);
    return { keys, people, workspaces, interns };
  }

  async search(text: string, caller: Principal): Promise<FoundNames> {
    const administers = caller.keyClass === 'management';
    const internReach = internsOf(caller);
    const [keys, people, workspaces, interns] = await Promise.all([
      this.keys.search(keysOf(caller), text, MAX_FOUND),
      administers ? this.members.search(withRowsOf(caller, 'members.read'), text, MAX_FOUND) : [],
      administers ? this.workspaces.search(withRowsOf(caller, 'workspaces.read'), text, MAX_FOUND) : [],
      internReach ? this.interns.search(internReach, text, MAX_FOUND) : [],
    ]);
    return { keys, people, workspaces, interns };
  }
}

const keysOf = (caller: Principal): NameReach =>
  caller.keyClass === 'management'
    ? withRowsOf(caller, 'keys.read')
    : { accountId: caller.accountId, onlyNo: caller.keyNo };

/** The interns whose names the caller may read; undefined = no intern. */
function internsOf(caller: Principal): InternReach | undefined {
  const { accountId, keyClass, creatorUserId, workspaceId, internId } = caller;
  if (keyClass === 'intern') return internId === null ? undefined : reachIn(accountId, { internId });
  if (keyClass === 'standard')
    return creatorUserId === null
      ? undefined
      : reachIn(accountId, { workspaceIds: [workspaceId], userId: creatorUserId });
  const rows = rowsOf(caller, 'interns');
  if (rows === 'all') return reachIn(accountId);
  return rows === null || rows.userId === null ? undefined : reachIn(accountId, { userId: rows.userId });
}

const reachIn = (accountId: string, bounds: Partial<InternReach> = {}): InternReach => ({
  accountId,
  workspaceIds: null,
  userId: null,
  ...bounds,
});
