import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import type { AuditAction } from '../../audit/audit-entry.js';
import { ModelAliases, type ModelAlias } from '../../catalogue/names/model-aliases.js';
import type { InTransaction } from '../../database/session-of.js';
import { pageIn, type OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import { notFound } from '../../kernel/errors/errors.js';
import { pageOf, type Paged } from '../../kernel/page.js';
import type { Principal } from '../../kernel/principal.js';

@Injectable()
export class ModelAliasesService {
  constructor(
    private readonly aliases: ModelAliases,
    private readonly audit: AuditTrail,
  ) {}

  async list(request: OffsetPageRequest): Promise<Paged<ModelAlias>> {
    return pageOf(await this.aliases.list(), pageIn(request));
  }

  async set(name: string, models: readonly string[], caller: Principal): Promise<ModelAlias> {
    return this.aliases.set(name, models, this.#audited('update', caller));
  }

  async remove(name: string, caller: Principal): Promise<void> {
    const removed = await this.aliases.remove(name, this.#audited('delete', caller));
    if (!removed) throw notFound('There is no alias with this name');
  }

  #audited(action: AuditAction, by: Principal): InTransaction<ModelAlias> {
    return ({ name }, session) => this.audit.record({ by, action, kind: 'model_alias', id: name }, session);
  }
}
