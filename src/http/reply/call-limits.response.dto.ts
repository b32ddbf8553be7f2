import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import type { CallLimits, CallLimitSettings } from '../../kernel/call-limit-settings.js';

/** Limits of calls; null = none. */
export class CallLimitsRecord {
  @ApiProperty({ type: 'integer', nullable: true })
  requests_per_minute: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  tokens_per_minute: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  max_concurrent: number | null;
}

/** The limit settings that keys and workspaces share. */
@ApiExtraModels(CallLimitsRecord)
export class CallLimitSettingsRecord {
  @ApiProperty({ type: 'integer', nullable: true })
  tokens_per_minute: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  max_concurrent: number | null;

  /** Limits by model id. */
  @ApiProperty({ type: 'object', additionalProperties: { $ref: getSchemaPath(CallLimitsRecord) }, nullable: true })
  models: Record<string, CallLimitsRecord> | null;

  @ApiProperty({ type: CallLimitsRecord, nullable: true })
  each_end_user: CallLimitsRecord | null;
}

export function toCallLimitSettingsRecord(settings: CallLimitSettings | null): CallLimitSettingsRecord {
  const { models, eachEndUser } = settings ?? {};
  const byModel = Object.entries(models ?? {}).map(([id, limits]) => [id, toCallLimitsRecord(limits)] as const);
  return {
    tokens_per_minute: settings?.tokensPerMinute ?? null,
    max_concurrent: settings?.maxConcurrent ?? null,
    models: byModel.length > 0 ? Object.fromEntries(byModel) : null,
    each_end_user: eachEndUser ? toCallLimitsRecord(eachEndUser) : null,
  };
}

const toCallLimitsRecord = (limits: CallLimits): CallLimitsRecord => ({
  requests_per_minute: limits.requestsPerMinute ?? null,
  tokens_per_minute: limits.tokensPerMinute ?? null,
  max_concurrent: limits.maxConcurrent ?? null,
});
