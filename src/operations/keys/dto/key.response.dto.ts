import { ApiProperty } from '@nestjs/swagger';
import { ClosedObject } from '../../../http/validation/closed-object.decorator.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse } from '../../../http/reply/data-response.js';

export const KEY_EXAMPLE = {
  hash: 'f01d52606dc8f0a8303a7b5cc3fa07109c2e346cec7c0a16b40de462992ce943',
  name: 'Production',
  label: 'sk-gh-v1-0e6...1c96',
  disabled: false,
  created_at: '2026-10-01T09:00:00.000Z',
  updated_at: '2026-11-02T10:15:00.000Z',
  last_used_at: '2026-11-22T08:30:00.000Z',
  expires_at: null,
  creator_user_id: '019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e',
  workspace_id: '019ab0c4-2222-7a61-9d0e-1f2a3b4c5d6e',
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
  external_user: null,
};

/** API key record (specification, "API key record"). Amounts in USD. */
@ClosedObject()
export class KeyRecord {
  /** Identifier of the key: SHA-256 of its secret. */
  @ApiProperty({ pattern: '^[0-9a-f]{64}$' })
  hash: string;

  @ApiProperty()
  name: string;

  /** Masked rendering of the key. */
  @ApiProperty()
  label: string;

  @ApiProperty()
  disabled: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /** Equal to created_at until the first change. */
  @ApiProperty({ format: 'date-time' })
  updated_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_used_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expires_at: string | null;

  @ApiProperty({ type: String, nullable: true })
  creator_user_id: string | null;

  @ApiProperty({ format: 'uuid' })
  workspace_id: string;

  /** Spending limit; null = unlimited. */
  @ApiProperty({ type: Number, nullable: true })
  limit: number | null;

  @ApiProperty({ type: Number, nullable: true })
  limit_remaining: number | null;

  @ApiProperty({ type: String, enum: ['daily', 'weekly', 'monthly', null], nullable: true })
  limit_reset: string | null;

  @ApiProperty()
  include_byok_in_limit: boolean;

  @ApiProperty()
  usage: number;

  @ApiProperty()
  usage_daily: number;

  @ApiProperty()
  usage_weekly: number;

  @ApiProperty()
  usage_monthly: number;

  @ApiProperty()
  byok_usage: number;

  @ApiProperty()
  byok_usage_daily: number;

  @ApiProperty()
  byok_usage_weekly: number;

  @ApiProperty()
  byok_usage_monthly: number;

  @ApiProperty({ type: String, nullable: true })
  external_user: string | null;
}

@ResponseExample({ data: KEY_EXAMPLE })
export class KeyResponse extends DataResponse(KeyRecord) {}

@ResponseExample({ data: KEY_EXAMPLE, key: `sk-gh-v1-0e6${'0'.repeat(57)}1c96` })
export class CreatedKeyResponse extends KeyResponse {
  /** The secret. Only this response contains it. Empty if the caller supplied the secret. */
  @ApiProperty()
  key: string;
}

@ResponseExample({ data: [KEY_EXAMPLE] })
export class KeyListResponse {
  @ApiProperty({ type: [KeyRecord] })
  data: KeyRecord[];
}
