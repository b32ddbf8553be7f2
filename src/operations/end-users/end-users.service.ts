import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../audit/audit-entry.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import type { EndUser } from '../../database/entities/end-user.entity.js';
import type { InTransaction } from '../../database/session-of.js';
import { notFound, type GatewayError } from '../../kernel/errors/errors.js';
import type { Paged } from '../../kernel/page.js';
import type { Principal } from '../../kernel/principal.js';
import { EndUsers } from '../../tenancy/end-users.js';
import type { ListEndUsersRequest, RegisterEndUserRequest, UpdateEndUserRequest } from './dto/end-user.request.dto.js';

const PAGE = 100;
const unknown = (): GatewayError => notFound('No end user is registered under this tracking ID');

/** Implements the operations of this API group, in the order of the specification. */
@Injectable()
export class EndUsersService {
  constructor(
    private readonly endUsers: EndUsers,
    private readonly audit: AuditTrail,
  ) {}

  async list(request: ListEndUsersRequest, caller: Principal): Promise<Paged<EndUser>> {
    const wanted = { trackingId: request.user, includeInactive: request.include_inactive ?? false };
    return this.endUsers.list(caller.accountId, wanted, { offset: request.offset ?? 0, limit: request.limit ?? PAGE });
  }

  register(request: RegisterEndUserRequest, caller: Principal): Promise<EndUser> {
    return this.endUsers.register(caller.accountId, request.user, this.#audited('create', caller));
  }

  async get(user: string, caller: Principal): Promise<EndUser> {
    const found = await this.endUsers.find(caller.accountId, user);
    if (!found) throw unknown();
    return found;
  }

  update(user: string, request: UpdateEndUserRequest, caller: Principal): Promise<EndUser> {
    return this.#setActive(user, request.is_active, 'update', caller);
  }

  deactivate(user: string, caller: Principal): Promise<EndUser> {
    return this.#setActive(user, false, 'delete', caller);
  }

  async #setActive(user: string, isActive: boolean, action: AuditAction, caller: Principal): Promise<EndUser> {
    const changed = await this.endUsers.setActive(caller.accountId, user, isActive, this.#audited(action, caller));
    if (!changed) throw unknown();
    return changed;
  }

  #audited(action: AuditAction, by: Principal): InTransaction<EndUser> {
    return ({ trackingId }, session) => this.audit.record({ by, action, kind: 'end_user', id: trackingId }, session);
  }
}
