import { ApiProperty, PickType } from '@nestjs/swagger';
import { KEY_STATES, type KeyState } from '../../../billing/key-list.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { CursorListResponse } from '../../../http/reply/data-response.js';
import { KeyRecord } from './key.response.dto.js';

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

const KEY_SUMMARY_EXAMPLE = {
  hash: 'f01d52606dc8f0a8303a7b5cc3fa07109c2e346cec7c0a16b40de462992ce943',
  name: 'Production',
  label: 'sk-gh-v1-0e6...1c96',
  class: 'standard',
  state: 'active',
  workspace_id: '019ab0c4-2222-7a61-9d0e-1f2a3b4c5d6e',
  workspace_name: 'Default',
  creator_user_id: '019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e',
  creator_name: 'Ada Lovelace',
  created_at: '2026-10-01T09:00:00.000Z',
  last_used_at: '2026-11-22T08:30:00.000Z',
  expires_at: null,
  limit: 100,
  limit_reset: 'monthly',
  limit_remaining: 74.5,
  limit_used: 0.255,
  usage: 51.75,
  usage_monthly: 25.5,
  byok_usage: 0,
  byok_usage_monthly: 0,
  former_secrets: 1,
};

@ResponseExample({ data: [KEY_SUMMARY_EXAMPLE], has_more: false, next_cursor: null })
export class KeySummaryListResponse extends CursorListResponse(KeySummary) {}
