import type { Settings } from '../../audit/setting-changes.js';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import type { KeySpend } from '../../billing/balances.js';
import type { KeyChanges } from '../../auth/api-keys.js';
import type { FormerSecret } from '../../auth/known-key.js';
import { toCallLimitSettingsRecord } from '../../http/reply/call-limits.response.dto.js';
import { toRaiseRecord } from '../../http/reply/raise.response.dto.js';
import { givenMembers } from '../../kernel/given-members.js';
import { nanoToUsd, usdToNano } from '../../kernel/money.js';
import type { Principal } from '../../kernel/principal.js';
import type { CurrentKeyData } from './dto/current-key.response.dto.js';
import type { FormerSecretRecord } from './dto/former-secrets.response.dto.js';
import type { KeySettingsRecord } from './dto/key-settings.response.dto.js';
import type { KeyRecord } from './dto/key.response.dto.js';
import type { UpdateKeyRequest } from './dto/keys.request.dto.js';

/** A key with its spend. */
export interface KeyWithSpend {
  readonly key: ApiKey;
  readonly spend: KeySpend;
  /** The last use by any operation; null = never. */
  readonly lastUsedAt: Date | null;
}

export function toKeyRecord({ key, spend, lastUsedAt }: KeyWithSpend): KeyRecord {
  return {
    hash: key.hash,
    name: key.name,
    label: key.label,
    disabled: key.disabled,
    created_at: key.createdAt.toISOString(),
    updated_at: (key.updatedAt ?? key.createdAt).toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    creator_user_id: key.creatorUserId,
    workspace_id: key.workspaceId,
    limit: key.limitNano === null ? null : nanoToUsd(key.limitNano),
    limit_remaining: spend.limitRemaining === null ? null : nanoToUsd(spend.limitRemaining),
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

export function toSettingsRecord(key: ApiKey, now: Date): KeySettingsRecord {
  const { raiseNano: amount, raiseUntil: until } = key;
  return {
    class: key.keyClass,
    role: key.role,
    allowed_models: key.allowedModels,
    requests_per_minute: key.requestsPerMinute,
    ...toCallLimitSettingsRecord(key.callLimits),
    session_max_calls: key.callLimits?.sessionMaxCalls ?? null,
    session_limit_usd: key.sessionLimitNano === null ? null : nanoToUsd(key.sessionLimitNano),
    trust_end_user_headers: key.trustEndUserHeaders,
    cache: { enabled: key.responseCacheTtlS !== null, ttl_seconds: key.responseCacheTtlS },
    export_content: key.exportContent,
    raise: until !== null && until > now ? toRaiseRecord({ amount, until }) : null,
  };
}

/** The changeable settings of a key, for the audit. Includes a raise that has ended. */
export const toAuditedSettings = (key: ApiKey): Settings => ({
  name: key.name,
  disabled: key.disabled,
  limit: key.limitNano === null ? null : nanoToUsd(key.limitNano),
  limit_reset: key.limitReset,
  include_byok_in_limit: key.includeByokInLimit,
  ...toSettingsRecord(key, new Date(0)),
});

export const toFormerSecret = ({ hash, label, replacedAt, endsAt }: FormerSecret): FormerSecretRecord => ({
  hash,
  label,
  replaced_at: replacedAt.toISOString(),
  ends_at: endsAt.toISOString(),
});

/** The changes that the request contains; others are absent. */
export function toChanges(request: UpdateKeyRequest): KeyChanges {
  const { limit } = request;
  return givenMembers<KeyChanges>({
    name: request.name,
    disabled: request.disabled,
    limitNano: limit === undefined || limit === null ? limit : usdToNano(limit),
    limitReset: request.limit_reset,
    includeByokInLimit: request.include_byok_in_limit,
  });
}

export function toCurrentKey(own: KeyWithSpend, caller: Principal): CurrentKeyData {
  const {
    hash: _hash,
    name: _name,
    disabled: _disabled,
    created_at: _created,
    updated_at: _updated,
    last_used_at: _used,
    external_user: _external,
    ...rest
  } = toKeyRecord(own);
  const isManagement = caller.keyClass === 'management';
  return {
    ...rest,
    organization_id: null,
    is_free_tier: false,
    is_management_key: isManagement,
    is_provisioning_key: isManagement,
    allowed_data_regions: ['global'],
    free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
    rate_limit: { requests: -1, interval: '10s', note: 'This field is deprecated and safe to ignore.' },
  };
}
