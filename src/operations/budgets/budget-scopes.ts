import { Injectable } from '@nestjs/common';
import type { BudgetScope } from '../../billing/budget-scope.js';
import { Budgets } from '../../billing/budgets.js';
import { ChannelDirectory } from '../../channels/channel-directory.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import type { Principal } from '../../kernel/principal.js';
import { Accounts } from '../../tenancy/accounts.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import type { BudgetScopeRequest } from './dto/budget.request.dto.js';
import { givenMembers } from '../../kernel/given-members.js';
import { ScopeNames } from './scope-names.js';

/** Reads the scopes of requests. Resources of other accounts cause the same errors as unknown resources. */
@Injectable()
export class BudgetScopes {
  constructor(
    private readonly budgets: Budgets,
    private readonly workspaces: Workspaces,
    private readonly accounts: Accounts,
    private readonly channels: ChannelDirectory,
    private readonly names: ScopeNames,
  ) {}

  async read(request: BudgetScopeRequest, caller: Principal): Promise<BudgetScope> {
    const {
      workspace_id: workspaceId,
      user_id: userId,
      api_key_hash: keyHash,
      credential_id: credentialId,
      model,
      provider,
      ...others
    } = request;
    const workspace = workspaceId === undefined ? undefined : await this.workspaces.find(caller, workspaceId);
    if (workspace === null) throw invalidRequest('scope.workspace_id: no workspace of this account has this id');
    if (userId && !(await this.accounts.isMember(caller.accountId, userId)))
      throw invalidRequest('scope.user_id: no member of this account has this id');
    const key = keyHash === undefined ? undefined : await this.budgets.keyNo(caller, keyHash);
    if (keyHash && !key) throw invalidRequest('scope.api_key_hash: no key of this account has this hash');
    const credential = credentialId === undefined ? undefined : await this.#credentialId(credentialId, request, caller);
    const named = {
      model: model === undefined ? undefined : this.names.model(model),
      provider: provider === undefined ? undefined : this.names.provider(provider),
    };
    return givenMembers({ workspace: workspace?.no, user: userId, key, credential, ...named, ...others });
  }

  /**
   * Returns the id by which the records of calls refer to a platform credential. Throws invalid_request if the caller
   * is not the operator, if no credential has this id, or if the scope also has a workspace, a member or a key.
   */
  async #credentialId(id: string, request: BudgetScopeRequest, { isOperator }: Principal): Promise<string> {
    const channel = isOperator ? await this.channels.find(id) : undefined;
    if (!channel) throw invalidRequest('scope.credential_id: no credential of this account has this id');
    if (request.workspace_id ?? request.user_id ?? request.api_key_hash)
      throw invalidRequest(
        'scope.credential_id covers the calls of every account: scope must not have workspace, member or key too',
      );
    return channel.id;
  }
}
