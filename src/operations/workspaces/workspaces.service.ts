import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../audit/audit-entry.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { changedSettings } from '../../audit/setting-changes.js';
import type { SqlSession } from '../../database/sql.js';
import type { Workspace } from '../../database/entities/workspace.entity.js';
import { toCallLimitChanges } from '../../http/validation/call-limits.request.dto.js';
import { pageIn, type OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import { AllowedModels } from '../../inference/allowed-models.js';
import { notFound, type GatewayError } from '../../kernel/errors/errors.js';
import type { Paged } from '../../kernel/page.js';
import type { Principal } from '../../kernel/principal.js';
import { Workspaces, type WorkspaceChanges } from '../../tenancy/workspaces.js';
import type {
  CreateWorkspaceRequest,
  UpdateWorkspaceRequest,
  UpdateWorkspaceSettingsRequest,
} from './dto/workspace.request.dto.js';
import { toAuditedSettings, toSettings, toSettingsChanges } from './workspaces.wire.js';

const unknown = (): GatewayError => notFound('No workspace has this id');

@Injectable()
export class WorkspacesService {
  constructor(
    private readonly workspaces: Workspaces,
    private readonly audit: AuditTrail,
    private readonly models: AllowedModels,
  ) {}

  async list(request: OffsetPageRequest, caller: Principal): Promise<Paged<Workspace>> {
    return this.workspaces.page(caller, pageIn(request));
  }

  async create(request: CreateWorkspaceRequest, caller: Principal): Promise<Workspace> {
    const wanted = {
      ...toSettings(request),
      name: request.name,
      slug: request.slug,
      accountId: caller.accountId,
      createdBy: caller.creatorUserId,
    };
    return this.workspaces.create(wanted, this.#audited('create', caller));
  }

  async get(id: string, caller: Principal): Promise<Workspace> {
    const workspace = await this.workspaces.findNamed(caller, id);
    if (!workspace) throw unknown();
    return workspace;
  }

  async update(id: string, request: UpdateWorkspaceRequest, caller: Principal): Promise<Workspace> {
    return this.#change(id, () => toSettings(request), caller);
  }

  async delete(id: string, caller: Principal): Promise<void> {
    if (!(await this.workspaces.delete(caller, id, this.#audited('delete', caller)))) throw unknown();
  }

  async updateSettings(id: string, request: UpdateWorkspaceSettingsRequest, caller: Principal): Promise<Workspace> {
    const limits = {
      ...toCallLimitChanges(request, (name) => this.models.idOf(name)),
      requestsPerMinute: request.requests_per_minute,
    };
    return this.#change(id, ({ callLimits }) => toSettingsChanges(request, limits, callLimits), caller);
  }

  async #change(
    id: string,
    changes: (workspace: Workspace) => WorkspaceChanges,
    caller: Principal,
  ): Promise<Workspace> {
    const audited = this.#audited('update', caller);
    const workspace = await this.workspaces.update(caller, id, changes, audited);
    if (!workspace) throw unknown();
    return workspace;
  }

  #audited(action: AuditAction, by: Principal): Audited {
    return (workspace, session, before) => {
      const { id } = workspace;
      const changes =
        action === 'delete'
          ? undefined
          : changedSettings(before && toAuditedSettings(before), toAuditedSettings(workspace));
      return this.audit.record({ by, action, kind: 'workspace', id, changes }, session);
    };
  }
}

/** `before`: the workspace before a change. */
type Audited = (workspace: Workspace, session: SqlSession, before?: Workspace) => Promise<void>;
