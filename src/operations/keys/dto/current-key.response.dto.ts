import { ApiProperty, OmitType } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse } from '../../../http/reply/data-response.js';
import { KEY_EXAMPLE, KeyRecord } from './key.response.dto.js';

/** Deprecated in the published interface. -1 means "no such limit". */
export class LegacyRateLimit {
  @ApiProperty({ type: 'integer' })
  requests: number;

  @ApiProperty()
  interval: string;

  @ApiProperty()
  note: string;
}

/** This service has no free models, so all three numbers are 0. */
export class FreeModelRequests {
  @ApiProperty({ type: 'integer' })
  limit: number;

  @ApiProperty({ type: 'integer' })
  remaining: number;

  @ApiProperty({ type: 'integer' })
  used: number;
}

/** The part of a key's record that the key itself may read. Amounts in USD. */
export class CurrentKeyData extends OmitType(KeyRecord, [
  'hash',
  'name',
  'disabled',
  'created_at',
  'updated_at',
  'last_used_at',
  'external_user',
] as const) {
  @ApiProperty({ type: String, nullable: true })
  organization_id: string | null;

  @ApiProperty()
  is_free_tier: boolean;

  @ApiProperty()
  is_management_key: boolean;

  /** The former name of is_management_key. */
  @ApiProperty({ deprecated: true })
  is_provisioning_key: boolean;

  @ApiProperty({ type: [String], enum: ['global', 'europe', 'us'] })
  allowed_data_regions: string[];

  @ApiProperty({ type: FreeModelRequests })
  free_model_daily_requests: FreeModelRequests;

  @ApiProperty({ type: LegacyRateLimit, deprecated: true })
  rate_limit: LegacyRateLimit;
}

@ResponseExample({
  data: {
    label: KEY_EXAMPLE.label,
    expires_at: null,
    creator_user_id: KEY_EXAMPLE.creator_user_id,
    workspace_id: KEY_EXAMPLE.workspace_id,
    limit: 100,
    limit_remaining: 74.5,
    limit_reset: 'monthly',
    include_byok_in_limit: false,
    usage: 25.5,
    usage_daily: 1.25,
    usage_weekly: 8.75,
    usage_monthly: 25.5,
    byok_usage: 0,
    byok_usage_daily: 0,
    byok_usage_weekly: 0,
    byok_usage_monthly: 0,
    organization_id: null,
    is_free_tier: false,
    is_management_key: false,
    is_provisioning_key: false,
    allowed_data_regions: ['global'],
    free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
    rate_limit: { requests: -1, interval: '10s', note: 'This field is deprecated and safe to ignore.' },
  },
})
export class CurrentKeyResponse extends DataResponse(CurrentKeyData) {}
