import type { Role } from '../kernel/access/permissions.js';
import type { CallLimitSettings } from '../kernel/call-limit-settings.js';
import type { KeyClass, WorkspaceMembership, Principal } from '../kernel/principal.js';

/** A secret that was replaced by a rotation. */
export interface FormerSecret {
  readonly hash: string;
  /** Masked rendering of the secret; null if an earlier version of the service replaced the secret. */
  readonly label: string | null;
  readonly replacedAt: Date;
  readonly endsAt: Date;
}

/** The data of a key that the guards need. */
export interface KnownKey {
  readonly principal: Principal;
  /** The masked rendering of the key, for the log. */
  readonly label: string;
  readonly disabled: boolean;
  /** Milliseconds since 1970. For a former secret, at most the end of its grace period. */
  readonly expiresAt: number | null;
  /** For an intern's own key: the state of the key that created the intern. */
  readonly parent: { readonly deleted: boolean; readonly disabled: boolean; readonly expiresAt: number | null } | null;
}

/** A key as KeyDirectory reads it. */
export interface KeyRow {
  readonly no: number;
  readonly hash: string;
  readonly label: string;
  readonly key_class: KeyClass;
  readonly disabled: boolean;
  readonly expires_at: Date | null;
  readonly creator_user_id: string | null;
  readonly include_byok_in_limit: boolean;
  readonly response_cache_ttl_s: number | null;
  readonly intern_id: string | null;
  readonly account_id: string;
  readonly account_no: number;
  readonly is_operator: boolean;
  readonly workspace_id: string;
  readonly workspace_no: number;
  readonly default_max_output_tokens: number | null;
  readonly allowed_models: string[] | null;
  readonly requests_per_minute: number | null;
  readonly export_content: boolean;
  readonly call_limits: CallLimitSettings | null;
  readonly trust_end_user_headers: boolean;
  readonly workspace_call_limits: CallLimitSettings | null;
  readonly session_budget_no: number | null;
  readonly limited_by_calls: boolean | null;
  readonly role: Role | null;
  readonly memberships: WorkspaceMembership[] | null;
  readonly parent_no: number | null;
  readonly parent_hash: string | null;
  readonly parent_counts_byok: boolean;
  readonly parent_deleted: boolean;
  readonly parent_disabled: boolean;
  readonly parent_expires_at: Date | null;
}

/** `endUserHeaders`: the headers that a key may trust. */
export function toKnownKey(row: KeyRow, endUserHeaders: readonly string[] | undefined): KnownKey {
  return {
    principal: {
      keyHash: row.hash,
      keyNo: row.no,
      keyClass: row.key_class,
      accountId: row.account_id,
      accountNo: row.account_no,
      isOperator: row.is_operator,
      workspaceId: row.workspace_id,
      workspaceNo: row.workspace_no,
      creatorUserId: row.creator_user_id,
      countsByok: row.include_byok_in_limit,
      internId: row.intern_id,
      parentKey: row.parent_no === null ? null : { no: row.parent_no, countsByok: row.parent_counts_byok },
      defaultMaxOutputTokens: row.default_max_output_tokens ?? undefined,
      responseCacheTtlS: row.response_cache_ttl_s ?? undefined,
      allowedModels: row.allowed_models ?? undefined,
      ownRateLimit:
        row.requests_per_minute === null
          ? undefined
          : { requestsPerMinute: row.requests_per_minute, keyHash: row.parent_hash ?? row.hash },
      limits:
        row.call_limits || row.workspace_call_limits
          ? {
              key: row.call_limits ?? undefined,
              keyHash: row.parent_hash ?? row.hash,
              workspace: row.workspace_call_limits ?? undefined,
            }
          : undefined,
      sessionBudget:
        row.session_budget_no === null
          ? undefined
          : { no: row.session_budget_no, isLimitedByCalls: row.limited_by_calls ?? false },
      endUserHeaders: row.trust_end_user_headers ? endUserHeaders : undefined,
      exportContent: row.export_content,
      role: row.role ?? undefined,
      memberships: row.memberships ?? undefined,
    },
    label: row.label,
    disabled: row.disabled,
    expiresAt: row.expires_at?.getTime() ?? null,
    parent:
      row.parent_no === null
        ? null
        : {
            deleted: row.parent_deleted,
            disabled: row.parent_disabled,
            expiresAt: row.parent_expires_at?.getTime() ?? null,
          },
  };
}
