import { ApiProperty, PickType } from '@nestjs/swagger';
import { KEY_STATES, type KeyState } from '../../../billing/key-list.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { KeyRecord } from './key.response.dto.js';
import { KEY_SUMMARY_EXAMPLE } from './key-summaries.examples.js';

const OF_THE_KEY = [
  'hash',
  'name',
  'label',
  'workspace_id',
  'creator_user_id',
  'created_at',
  'last_used_at',
  'expires_at',
  'limit_reset',
  'limit_remaining',
  'usage',
  'usage_monthly',
  'byok_usage',
  'byok_usage_monthly',
] as const;

/** A key in the list, with the names of related resources. Amounts in USD. */
export class KeySummary extends PickType(KeyRecord, OF_THE_KEY) {
  @ApiProperty({ enum: ['standard', 'management'] })
  class: string;

  @ApiProperty({ enum: KEY_STATES })
  state: KeyState;

  @ApiProperty()
  workspace_name: string;

  /** The name of the member who owns the key; null = no owner. */
  @ApiProperty({ type: String, nullable: true })
  creator_name: string | null;

  /** The spending limit, including a raise; null = unlimited. */
  @ApiProperty({ type: Number, nullable: true })
  limit: number | null;

  /** The used share of the limit: 1 = all of it, more than 1 = above the limit. Null = unlimited. */
  @ApiProperty({ type: Number, nullable: true })
  limit_used: number | null;

  /** The number of former secrets that are still valid; see GET /keys/{hash}/former-secrets. */
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
