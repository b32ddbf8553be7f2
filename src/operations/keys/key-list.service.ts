import { Injectable } from '@nestjs/common';
import { KeyUses } from '../../auth/key-uses.js';
import { KeyList } from '../../billing/key-list.js';
import { DEFAULT_PAGE_ITEMS } from '../../http/validation/cursor-page.request.dto.js';
import { notFound } from '../../kernel/errors/errors.js';
import type { Principal } from '../../kernel/principal.js';
import type { ListKeySummariesRequest } from './dto/list-key-summaries.request.dto.js';
import { offsetOfCursor, type KeyListPage } from './key-list.wire.js';
import { NewKeys } from './new-keys.js';

/** The list of keys of all workspaces. */
@Injectable()
export class KeyListService {
  constructor(
    private readonly list: KeyList,
    private readonly uses: KeyUses,
    private readonly newKeys: NewKeys,
  ) {}

  async page(request: ListKeySummariesRequest, caller: Principal): Promise<KeyListPage> {
    const { q, sort = 'created_at', limit = DEFAULT_PAGE_ITEMS, cursor, workspace_id: workspaceId } = request;
    const offset = cursor === undefined ? 0 : offsetOfCursor(cursor);
    if (workspaceId !== undefined && (await this.newKeys.workspaceFor(workspaceId, caller)) === undefined)
      throw notFound('No workspace has this id');
    const found = await this.list.page(caller, {
      text: q === '' ? undefined : q,
      workspaceId,
      creatorUserId: request.creator_user_id,
      state: request.state,
      sort,
      direction: request.direction ?? (sort === 'name' ? 'asc' : 'desc'),
      offset,
      limit: limit + 1,
    });
    const keys = found.slice(0, limit);
    const uses = await this.uses.ofKeys(keys.map(({ no }) => no));
    return { keys, uses, nextOffset: found.length > limit ? offset + limit : null };
  }
}
