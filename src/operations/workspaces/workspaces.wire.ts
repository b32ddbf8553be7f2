import { hash } from 'node:crypto';
import type { Settings } from '../../audit/setting-changes.js';
import type { Workspace } from '../../database/entities/workspace.entity.js';
import { givenMembers } from '../../kernel/given-members.js';
import { toCallLimitSettingsRecord } from '../../http/reply/call-limits.response.dto.js';
import { changedLimits, type CallLimitChanges, type CallLimitSettings } from '../../kernel/call-limit-settings.js';
import type { WorkspaceChanges, WorkspaceSettings } from '../../tenancy/workspaces.js';
import type { UpdateWorkspaceRequest, UpdateWorkspaceSettingsRequest } from './dto/workspace.request.dto.js';
import type { WorkspaceRecord, WorkspaceSettingsRecord } from './dto/workspace.response.dto.js';

export function toWorkspaceRecord(workspace: Workspace): WorkspaceRecord {
  return {
    id: workspace.id,
    default_guardrail_id: guardrailIdOf(workspace.id),
    name: workspace.name,
    slug: workspace.slug,
    description: workspace.description ?? null,
    default_text_model: workspace.defaultTextModel ?? null,
    default_image_model: workspace.defaultImageModel ?? null,
    default_provider_sort: workspace.defaultProviderSort ?? null,
    is_observability_io_logging_enabled: workspace.ioLoggingEnabled,
    is_observability_broadcast_enabled: workspace.broadcastEnabled,
    is_data_discount_logging_enabled: workspace.dataDiscountLoggingEnabled,
    io_logging_sampling_rate: workspace.ioLoggingSamplingRate,
    io_logging_api_key_ids: workspace.ioLoggingKeyNos ?? null,
    created_at: workspace.createdAt.toISOString(),
    updated_at: workspace.updatedAt?.toISOString() ?? null,
    created_by: workspace.createdBy ?? null,
  };
}

/** The changeable settings of a workspace, for the audit. */
export function toAuditedSettings(workspace: Workspace): Settings {
  const {
    id: _id,
    default_guardrail_id: _guardrail,
    created_at: _created,
    updated_at: _updated,
    created_by: _creator,
    ...settings
  } = toWorkspaceRecord(workspace);
  return { ...settings, ...toSettingsRecord(workspace) };
}

/** Converts the settings that are a separate resource to their API record. */
export const toSettingsRecord = ({ defaultMaxOutputTokens, callLimits }: Workspace): WorkspaceSettingsRecord => ({
  default_max_output_tokens: defaultMaxOutputTokens ?? null,
  requests_per_minute: callLimits?.requestsPerMinute ?? null,
  ...toCallLimitSettingsRecord(callLimits ?? null),
});

/** The requested changes of settings that are a separate resource; other settings are absent. */
export function toSettingsChanges(
  { default_max_output_tokens: defaultMaxOutputTokens }: UpdateWorkspaceSettingsRequest,
  limits: CallLimitChanges,
  present: CallLimitSettings | null,
): WorkspaceChanges {
  return givenMembers<WorkspaceChanges>({ defaultMaxOutputTokens, callLimits: changedLimits(present, limits) });
}

/** The settings that the request contains; others are absent. */
export function toSettings(request: UpdateWorkspaceRequest): Partial<WorkspaceSettings> {
  const named: { [K in keyof WorkspaceSettings]: WorkspaceSettings[K] | undefined } = {
    name: request.name,
    slug: request.slug,
    description: request.description,
    defaultTextModel: request.default_text_model,
    defaultImageModel: request.default_image_model,
    defaultProviderSort: request.default_provider_sort,
    ioLoggingEnabled: request.is_observability_io_logging_enabled,
    broadcastEnabled: request.is_observability_broadcast_enabled,
    dataDiscountLoggingEnabled: request.is_data_discount_logging_enabled,
    ioLoggingSamplingRate: request.io_logging_sampling_rate,
    ioLoggingKeyNos: request.io_logging_api_key_ids,
  };
  return givenMembers(named);
}

/** Derives the guardrail id that the published record requires. This service has no guardrails. */
function guardrailIdOf(workspaceId: string): string {
  const hex = hash('sha256', `default-guardrail:${workspaceId}`, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
