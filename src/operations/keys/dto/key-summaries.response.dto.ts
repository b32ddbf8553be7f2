import { ApiProperty } from '@nestjs/swagger';
import { KEY_STATES, type KeyState } from '../../../billing/key-list.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { KEY_SUMMARY_EXAMPLE } from './key-summaries.examples.js';

/** A key of the list, with its names. Amounts in USD. */
export class KeySummary {
  @ApiProperty({ pattern: '^[0-9a-f]{64}$' })
  hash: string;

  @ApiProperty()
  name: string;

  /** Masked rendering of the key. */
  @ApiProperty()
  label: string;

  @ApiProperty({ enum: ['standard', 'management'] })
  class: string;

  @ApiProperty({ enum: KEY_STATES })
  state: KeyState;

  @ApiProperty({ format: 'uuid' })
  workspace_id: string;

  @ApiProperty()
  workspace_name: string;

  /** The member who owns the key; null = nobody. */
  @ApiProperty({ type: String, nullable: true })
  creator_user_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  creator_name: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_used_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expires_at: string | null;

  /** The spending limit, with a raise; null = unlimited. */
  @ApiProperty({ type: Number, nullable: true })
  limit: number | null;

  @ApiProperty({ type: String, enum: ['daily', 'weekly', 'monthly', null], nullable: true })
  limit_reset: string | null;

  @ApiProperty({ type: Number, nullable: true })
  limit_remaining: number | null;

  /** The share of the limit that is used: 1 = all of it, more = above it; null = unlimited. */
  @ApiProperty({ type: Number, nullable: true })
  limit_used: number | null;

  @ApiProperty()
  usage: number;

  @ApiProperty()
  usage_monthly: number;

  @ApiProperty()
  byok_usage: number;

  @ApiProperty()
  byok_usage_monthly: number;

  /** How many former secrets are still valid; see GET /keys/{hash}/former-secrets. */
  @ApiProperty({ type: 'integer' })
  former_secrets: number;
}

@ResponseExample({ data: [KEY_SUMMARY_EXAMPLE], has_more: false, next_cursor: null })
export class KeySummaryListResponse {
  @ApiProperty({ type: [KeySummary] })
  data: KeySummary[];

  @ApiProperty()
  has_more: boolean;

  /** Null on the last page. */
  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
