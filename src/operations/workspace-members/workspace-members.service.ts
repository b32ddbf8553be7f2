import { Injectable } from '@nestjs/common';
import { pageIn, type OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import { notFound } from '../../kernel/errors/errors.js';
import { isUuid } from '../../kernel/ids.js';
import type { Paged } from '../../kernel/page.js';
import type { Principal } from '../../kernel/principal.js';
import { WorkspaceMembers, type MemberWorkspace, type WorkspaceMember } from '../../members/workspace-members.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import type { UpdateWorkspaceMemberRequest, WorkspaceUsersRequest } from './dto/workspace-members.request.dto.js';

const idsOf = ({ user_ids: ids }: WorkspaceUsersRequest): string[] => [...new Set(ids.map((id) => id.toLowerCase()))];

@Injectable()
export class WorkspaceMembersService {
  constructor(
    private readonly workspaces: Workspaces,
    private readonly members: WorkspaceMembers,
  ) {}

  async list(workspace: string, request: OffsetPageRequest, caller: Principal): Promise<Paged<WorkspaceMember>> {
    const page = pageIn(request);
    return this.members.page(await this.#named(workspace, caller), page);
  }

  async add(
    workspace: string,
    request: WorkspaceUsersRequest,
    by: Principal,
  ): Promise<{ members: WorkspaceMember[]; added: number }> {
    return this.members.add(await this.#named(workspace, by), idsOf(request), by);
  }

  async remove(workspace: string, request: WorkspaceUsersRequest, by: Principal): Promise<number> {
    return this.members.remove(await this.#named(workspace, by), idsOf(request), by);
  }

  async setRole(
    workspace: string,
    userId: string,
    { role }: UpdateWorkspaceMemberRequest,
    by: Principal,
  ): Promise<WorkspaceMember> {
    const named = await this.#named(workspace, by);
    if (!isUuid(userId)) throw notFound('No member of this workspace has this id');
    return this.members.setRole(named, userId.toLowerCase(), role, by);
  }

  /** Finds a workspace by id or slug, within the caller's reach. */
  async #named(workspace: string, caller: Principal): Promise<MemberWorkspace> {
    const found = await this.workspaces.findNamed(caller, workspace);
    if (!found) throw notFound('No workspace has this id');
    return found;
  }
}
