import { ApiProperty, OmitType } from '@nestjs/swagger';
import { KeyRecord } from './key.response.dto.js';

/** Deprecated in the published interface; -1 stands for "no such limit". */
export class LegacyRateLimit {
  @ApiProperty({ type: 'integer' })
  requests: number;

  @ApiProperty()
  interval: string;

  @ApiProperty()
  note: string;
}

/** This service has no free models, so that all three are 0. */
export class FreeModelRequests {
  @ApiProperty({ type: 'integer' })
  limit: number;

  @ApiProperty({ type: 'integer' })
  remaining: number;

  @ApiProperty({ type: 'integer' })
  used: number;
}

/** What a key learns of itself. Amounts in USD. */
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

  /** The older word for is_management_key. */
  @ApiProperty({ deprecated: true })
  is_provisioning_key: boolean;

  @ApiProperty({ type: [String], enum: ['global', 'europe', 'us'] })
  allowed_data_regions: string[];

  @ApiProperty({ type: FreeModelRequests })
  free_model_daily_requests: FreeModelRequests;

  @ApiProperty({ type: LegacyRateLimit, deprecated: true })
  rate_limit: LegacyRateLimit;
}

export class CurrentKeyResponse {
  @ApiProperty({ type: CurrentKeyData })
  data: CurrentKeyData;
}
