import type { ApiKey } from '../../database/api-key.entity.js';
import type { KeySpend } from '../../billing/balances.js';
import { limitRemaining } from '../../billing/key-limit.js';
import { nanoToUsd } from '../../kernel/money.js';
import type { KeyRecord } from './dto/key.response.dto.js';

/** A key with what it has spent. */
export interface KeyWithSpend {
  readonly key: ApiKey;
  readonly spend: KeySpend;
}

/** What may leave the building of a key. */
export function toKeyRecord({ key, spend }: KeyWithSpend): KeyRecord {
  const remaining = limitRemaining({ limit: key.limitNano, reset: key.limitReset, includeByok: key.includeByokInLimit }, spend);
  return {
    hash: key.hash,
    name: key.name,
    label: key.label,
    disabled: key.disabled,
    created_at: key.createdAt.toISOString(),
    updated_at: key.updatedAt?.toISOString() ?? null,
    last_used_at: spend.lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    creator_user_id: key.creatorUserId,
    workspace_id: key.workspaceId,
    limit: key.limitNano === null ? null : nanoToUsd(key.limitNano),
    limit_remaining: remaining === null ? null : nanoToUsd(remaining),
    limit_reset: key.limitReset,
    include_byok_in_limit: key.includeByokInLimit,
    usage: nanoToUsd(spend.usage.total),
    usage_daily: nanoToUsd(spend.usage.daily),
    usage_weekly: nanoToUsd(spend.usage.weekly),
    usage_monthly: nanoToUsd(spend.usage.monthly),
    byok_usage: nanoToUsd(spend.byokUsage.total),
    byok_usage_daily: nanoToUsd(spend.byokUsage.daily),
    byok_usage_weekly: nanoToUsd(spend.byokUsage.weekly),
    byok_usage_monthly: nanoToUsd(spend.byokUsage.monthly),
    external_user: key.externalUser,
  };
}
