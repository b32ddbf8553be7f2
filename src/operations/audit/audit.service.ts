import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { DEFAULT_PAGE_ITEMS } from '../../http/validation/cursor-page.request.dto.js';
import type { Principal } from '../../kernel/principal.js';
import { timeRangeOf } from '../../usage/time-range.js';
import { placeOfCursor, type AuditPage } from './audit.wire.js';
import type { ListAuditRequest } from './dto/audit.request.dto.js';

/** Implements the operations of this API group. */
@Injectable()
export class AuditService {
  constructor(private readonly audit: AuditTrail) {}

  async list(request: ListAuditRequest, caller: Principal): Promise<AuditPage> {
    const { action, kind, id, actor, cursor, limit = DEFAULT_PAGE_ITEMS } = request;
    const { from, to } = timeRangeOf(request);
    const found = await this.audit.list({
      accountId: caller.accountId,
      actor,
      action,
      kind,
      id,
      keyHash: request.api_key_hash,
      userId: request.user_id,
      since: from === null ? undefined : new Date(from),
      until: to === null ? undefined : new Date(to),
      before: cursor === undefined ? undefined : placeOfCursor(cursor),
      limit: limit + 1,
    });
    return { entries: found.slice(0, limit), hasMore: found.length > limit };
  }
}
