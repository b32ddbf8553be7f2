import { Injectable } from '@nestjs/common';
import { PublicAddress } from '../../http/edge/service-address.js';
import { pageIn, type OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import { invalidRequest, notFound } from '../../kernel/errors/errors.js';
import { isUuid } from '../../kernel/ids.js';
import type { Paged } from '../../kernel/page.js';
import type { Principal } from '../../kernel/principal.js';
import { Invitations, type Invitation } from '../../members/invitations.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import type { CreateInvitationRequest } from './dto/invitation.request.dto.js';

/** Implements the operations of this API group, in the order of the specification. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly invitations: Invitations,
    private readonly workspaces: Workspaces,
    private readonly address: PublicAddress,
  ) {}

  list(request: OffsetPageRequest, { accountId }: Principal): Promise<Paged<Invitation>> {
    return this.invitations.list(accountId, pageIn(request));
  }

  /** Returns the link. The token is in its fragment, because browsers do not send fragments to servers. */
  async create(
    { role, workspace_ids: named = [], email }: CreateInvitationRequest,
    host: string | undefined,
    by: Principal,
  ): Promise<{ invitation: Invitation; url: string }> {
    const workspaceIds = [...new Set(named.map((id) => id.toLowerCase()))];
    for (const id of workspaceIds)
      if (!(await this.workspaces.find(by, id))) throw invalidRequest(`workspace_ids: no workspace has the id ${id}`);
    const request = { accountId: by.accountId, role, workspaceIds, email: email ?? null };
    const { invitation, token } = await this.invitations.create(request, by);
    return { invitation, url: `${this.address.of(host)}/console/#invitation=${token}` };
  }

  async revoke(id: string, by: Principal): Promise<void> {
    if (!isUuid(id) || !(await this.invitations.revoke(by.accountId, id, by)))
      throw notFound('No invitation that can be used has this id');
  }
}
