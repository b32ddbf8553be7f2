import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../../auth/api-keys.js';
import { Catalogue } from '../../catalogue/catalogue.js';
import { withRowsOf } from '../../kernel/access/reach.js';
import { Clock } from '../../kernel/clock.js';
import { invalidRequest, notFound } from '../../kernel/errors/errors.js';
import type { Principal } from '../../kernel/principal.js';
import { Accounts } from '../../tenancy/accounts.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import { Activity, type ActivityQuery, type ActivityRow } from '../../usage/activity.js';
import type { ActivityRequest } from './dto/activity.request.dto.js';

const DAY_MS = 86_400_000;
const DAYS = 30;

export interface ActivityOfDay extends ActivityRow {
  /** The display name of the provider. */
  readonly providerName: string;
  /** Set if the rows are grouped by workspace. */
  readonly workspaceId?: string;
}

/** Implements the operations of this API group, in the order of the specification. */
@Injectable()
export class ActivityService {
  constructor(
    private readonly activity: Activity,
    private readonly keys: ApiKeys,
    private readonly accounts: Accounts,
    private readonly workspaces: Workspaces,
    private readonly catalogue: Catalogue,
    private readonly clock: Clock,
  ) {}

  async get(request: ActivityRequest, caller: Principal): Promise<ActivityOfDay[]> {
    const byWorkspace = request.group_by === 'workspace';
    const query: ActivityQuery = {
      accountNo: caller.accountNo,
      ...this.#days(request.date),
      keyNos: await this.#keysFor(request, caller),
      workspaceNos: await this.#workspacesFor(request.workspace_id, caller),
      byWorkspace,
    };
    const rows = await this.activity.of(query);
    const named = rows.map((row) => ({ ...row, providerName: this.catalogue.providerName(row.provider) }));
    if (!byWorkspace) return named;
    const idOf = await this.workspaces.numbersOf(caller.accountId);
    return named.map((row) => ({ ...row, workspaceId: idOf.get(row.workspace_no!) }));
  }

  /**
   * The last 30 completed days in UTC. With `date`, only that day; throws invalid_request unless it is one of these 30
   * days or the current day. `to` is exclusive.
   */
  #days(date: string | undefined): { from: Date; to: Date } {
    const today = Math.floor(this.clock.now().getTime() / DAY_MS) * DAY_MS;
    const first = today - DAYS * DAY_MS;
    if (date === undefined) return { from: new Date(first), to: new Date(today) };
    const day = Date.parse(`${date}T00:00:00Z`);
    if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== date)
      throw invalidRequest('date does not exist in the calendar');
    if (day < first || day > today) throw invalidRequest(`date must be within the last ${DAYS} days, in UTC`);
    return { from: new Date(day), to: new Date(day + DAY_MS) };
  }

  async #keysFor(request: ActivityRequest, caller: Principal): Promise<number[] | undefined> {
    if (request.api_key_hash === undefined && request.user_id === undefined) return undefined;
    if (request.user_id !== undefined && !(await this.accounts.isMember(caller.accountId, request.user_id)))
      throw notFound('No member of this account has this user_id');
    const keys = await this.keys.everMade(withRowsOf(caller, 'keys.read'), {
      hash: request.api_key_hash,
      creatorUserId: request.user_id,
    });
    if (request.api_key_hash !== undefined && keys.length === 0) throw notFound('No API key has this hash');
    return keys.map(({ no }) => no);
  }

  async #workspacesFor(id: string | undefined, caller: Principal): Promise<number[] | undefined> {
    if (id === undefined) return caller.only?.workspaces.map(({ workspaceNo }) => workspaceNo);
    const workspace = await this.workspaces.find(caller, id);
    if (!workspace) throw notFound('No workspace has this id');
    return [workspace.no];
  }
}
