import type { ListedKey } from '../../billing/key-list.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { nanoToUsd } from '../../kernel/money.js';
import type { KeySummary, KeySummaryListResponse } from './dto/key-summaries.response.dto.js';

/** Rows of the list. `nextOffset`: null on the last page. */
export interface KeyListPage {
  readonly keys: readonly ListedKey[];
  readonly uses: ReadonlyMap<number, Date>;
  readonly nextOffset: number | null;
}

export const toKeyList = ({ keys, uses, nextOffset }: KeyListPage): KeySummaryListResponse => ({
  data: keys.map((key) => toSummary(key, uses.get(key.no))),
  has_more: nextOffset !== null,
  next_cursor: nextOffset === null ? null : Buffer.from(`offset:${nextOffset}`).toString('base64url'),
});

/** The number of keys to skip, from a cursor. Throws invalid_request for any other text. */
export function offsetOfCursor(cursor: string): number {
  const offset = /^offset:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1];
  if (offset === undefined) throw invalidRequest('cursor must be the next_cursor of another page');
  return Number(offset);
}

const toSummary = (key: ListedKey, lastUsedAt: Date | undefined): KeySummary => ({
  hash: key.hash,
  name: key.name,
  label: key.label,
  class: key.key_class,
  state: key.state,
  workspace_id: key.workspace_id,
  workspace_name: key.workspace_name,
  creator_user_id: key.creator_user_id,
  creator_name: key.creator_name,
  created_at: key.created_at.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
  expires_at: key.expires_at?.toISOString() ?? null,
  limit: key.limit === null ? null : nanoToUsd(key.limit),
  limit_reset: key.limit_reset,
  limit_remaining: key.limit_remaining === null ? null : nanoToUsd(key.limit_remaining),
  limit_used: key.share,
  usage: nanoToUsd(key.usage),
  usage_monthly: nanoToUsd(key.usage_month),
  byok_usage: nanoToUsd(key.byok_usage),
  byok_usage_monthly: nanoToUsd(key.byok_usage_month),
  former_secrets: key.former_secrets,
});
