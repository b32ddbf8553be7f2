import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsObject,
  IsOptional,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { CallLimitSettingsRequest, MAX_REQUESTS_PER_MINUTE } from '../../../http/validation/call-limits.request.dto.js';
import { NullableInteger, NullableNumber } from '../../../http/validation/nullable-member.decorators.js';
import { OptionalBoolean } from '../../../http/validation/optional-member.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { DEFAULT_CACHE_TTL_S, MAX_CACHE_TTL_S } from '../../../kernel/cache-use.js';
import { MAX_LIMIT_USD, MIN_AMOUNT_USD } from '../../../kernel/money.js';

const MAX_ALLOWED_MODELS = 100;
const MAX_SESSION_CALLS = 1_000_000;
/** No control characters and no lone surrogates. */
const MODEL = /^[^\p{Cc}\p{Cs}]{1,200}$/u;

/** The response cache for requests of the key without the header X-OpenRouter-Cache. */
@NoAdditionalFields()
export class KeyCacheRequest {
  @ApiProperty({ type: Boolean })
  @IsBoolean()
  enabled: boolean;

  /** How long a response is kept, in seconds. Absent or null = unchanged, or the default if the cache was off. */
  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    minimum: 1,
    maximum: MAX_CACHE_TTL_S,
    default: DEFAULT_CACHE_TTL_S,
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_CACHE_TTL_S)
  ttl_seconds?: number | null;
}

/** The changes; absent = unchanged. */
@RequestExamples({
  limited: {
    summary: 'Two groups of models, 60 requests a minute',
    value: { allowed_models: ['builtin/flite', 'builtin/*'], requests_per_minute: 60 },
  },
  cached: { summary: 'Reuse responses for ten minutes', value: { cache: { enabled: true, ttl_seconds: 600 } } },
  shared: {
    summary: 'Limits on tokens and concurrent calls, for the key and for each end user',
    value: {
      tokens_per_minute: 100_000,
      max_concurrent: 10,
      models: { 'builtin/eliza': { tokens_per_minute: 20_000 } },
      each_end_user: { requests_per_minute: 10, max_concurrent: 2 },
    },
  },
  open: {
    summary: 'The settings of a new key',
    value: { allowed_models: null, requests_per_minute: null, cache: { enabled: false }, export_content: false },
  },
})
@NoAdditionalFields()
export class UpdateKeySettingsRequest extends CallLimitSettingsRequest {
  /** Model ids of the catalogue and `author/*`. Calls of other models return 404. Null = every model. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 200 },
    maxItems: MAX_ALLOWED_MODELS,
    nullable: true,
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_ALLOWED_MODELS)
  @Matches(MODEL, { each: true, message: 'allowed_models must contain ids of models: 1 to 200 characters each' })
  allowed_models?: string[] | null;

  /**
   * The maximum number of requests of the key per minute, over all operations. Further requests return 429. Null = only
   * the limits of the service apply.
   */
  @NullableInteger(1, MAX_REQUESTS_PER_MINUTE)
  requests_per_minute?: number | null;

  /**
   * The maximum number of calls in one session (`session_id`). Further calls return 429. A session ends 24 hours after
   * its last call.
   */
  @NullableInteger(1, MAX_SESSION_CALLS)
  session_max_calls?: number | null;

  /**
   * The spending limit of one session, in USD. A call that may cost more than the remaining amount returns 402; if
   * nothing remains, every call returns 403. Null = no limit.
   */
  @NullableNumber(MIN_AMOUNT_USD, MAX_LIMIT_USD)
  session_limit_usd?: number | null;

  /** Whether the headers in END_USER_HEADERS identify the end user of a call whose body has no `user`. */
  @OptionalBoolean()
  trust_end_user_headers?: boolean;

  /** Null = off. */
  @ApiPropertyOptional({ type: KeyCacheRequest, nullable: true })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => KeyCacheRequest)
  cache?: KeyCacheRequest | null;

  /**
   * Whether the records sent to webhooks contain the texts of the key's calls: up to 64 KiB each for input and output.
   */
  @OptionalBoolean()
  export_content?: boolean;
}
