import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsObject, IsOptional, IsString } from 'class-validator';
import { ForwardsOtherMembers } from '../../../http/validation/request-validation.pipe.js';
import { ConversationMembers } from './conversation.request.dto.js';
import {
  NullableInteger,
  NullableNumber,
  NullableObject,
} from '../../../http/validation/nullable-member.decorators.js';

const TIERS = ['auto', 'standard_only'] as const;
const MAX_STOP_SEQUENCES = 8_192;
const MAX_FALLBACKS = 100;

/** Messages request. Members not listed here are forwarded to providers that use this format. */
@ForwardsOtherMembers()
export class MessagesRequestBody extends ConversationMembers {
  /** The maximum number of output tokens. Default: the maximum of the model. */
  @NullableInteger(1)
  max_tokens?: number | null;

  @ApiPropertyOptional({ type: 'array', items: { type: 'string' }, nullable: true })
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  @ArrayMaxSize(MAX_STOP_SEQUENCES)
  stop_sequences?: string[] | null;

  @NullableNumber(0, 2)
  temperature?: number | null;

  @NullableNumber(0, 1)
  top_p?: number | null;

  @NullableInteger(0)
  top_k?: number | null;

  /** `user_id`: the end user if `user` is absent. Providers get a keyed hash of it. */
  @NullableObject()
  metadata?: { user_id?: unknown } | null;

  @ApiPropertyOptional({ type: String, enum: TIERS, nullable: true })
  @IsOptional()
  @IsIn(TIERS)
  service_tier?: (typeof TIERS)[number] | null;

  /** Models to fall back to, in order: an alternative to `models`. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object', required: ['model'], properties: { model: { type: 'string', minLength: 1 } } },
    nullable: true,
  })
  @IsOptional()
  @IsArray()
  @IsObject({ each: true })
  @ArrayMaxSize(MAX_FALLBACKS)
  fallbacks?: { model: string }[] | null;
}
