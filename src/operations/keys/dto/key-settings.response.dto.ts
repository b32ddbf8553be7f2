import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse } from '../../../http/reply/data-response.js';
import { CallLimitSettingsRecord } from '../../../http/reply/call-limits.response.dto.js';
import { RaiseRecord } from '../../../http/reply/raise.response.dto.js';
import { ROLES, type Role } from '../../../kernel/access/permissions.js';
import type { KeyClass } from '../../../kernel/principal.js';

export class KeyCacheRecord {
  @ApiProperty()
  enabled: boolean;

  /** Null if the cache is off. */
  @ApiProperty({ type: 'integer', nullable: true })
  ttl_seconds: number | null;
}

/** The settings of a key that are not in its record. */
export class KeySettingsRecord extends CallLimitSettingsRecord {
  /** Set when the key is created. */
  @ApiProperty({ enum: ['standard', 'management'] })
  class: KeyClass;

  /** The role of a management key; null for a standard key. */
  @ApiProperty({ enum: ROLES, nullable: true })
  role: Role | null;

  /** Null = every model. */
  @ApiProperty({ type: [String], nullable: true })
  allowed_models: string[] | null;

  /** Null = only the limits of the service apply. */
  @ApiProperty({ type: 'integer', nullable: true })
  requests_per_minute: number | null;

  /** The maximum number of calls in one session; null = no maximum. */
  @ApiProperty({ type: 'integer', nullable: true })
  session_max_calls: number | null;

  /** The spending limit of one session, in USD; null = unlimited. */
  @ApiProperty({ type: Number, nullable: true })
  session_limit_usd: number | null;

  @ApiProperty()
  trust_end_user_headers: boolean;

  @ApiProperty({ type: KeyCacheRecord })
  cache: KeyCacheRecord;

  @ApiProperty()
  export_content: boolean;

  /** The temporary addition to the limit, set by `PUT /keys/{hash}/raise`. */
  @ApiProperty({ type: RaiseRecord, nullable: true })
  raise: RaiseRecord | null;
}

@ResponseExample({
  data: {
    class: 'standard',
    role: null,
    allowed_models: ['author/text-model', 'another-author/*'],
    requests_per_minute: 60,
    tokens_per_minute: 100_000,
    max_concurrent: 10,
    models: { 'author/text-model': { requests_per_minute: null, tokens_per_minute: 20_000, max_concurrent: null } },
    each_end_user: { requests_per_minute: 10, tokens_per_minute: null, max_concurrent: 2 },
    session_max_calls: null,
    session_limit_usd: 2.5,
    trust_end_user_headers: true,
    cache: { enabled: true, ttl_seconds: 300 },
    export_content: false,
    raise: { amount_usd: 25, until: '2030-01-31T00:00:00.000Z' },
  },
})
export class KeySettingsResponse extends DataResponse(KeySettingsRecord) {}
