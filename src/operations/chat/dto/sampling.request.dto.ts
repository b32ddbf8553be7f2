import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsObject, IsOptional, Min } from 'class-validator';
import { OwnTextMembers } from '../../../text-edge/own-text-members.dto.js';
import {
  NullableBoolean,
  NullableInteger,
  NullableNumber,
} from '../../../http/validation/nullable-member.decorators.js';

/** The members that set the number of tokens and choices, and how tokens are sampled. */
export abstract class SamplingMembers extends OwnTextMembers {
  /** The maximum number of output tokens of one choice. */
  @NullableInteger(1)
  max_completion_tokens?: number | null;

  /** Deprecated: use `max_completion_tokens`. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, nullable: true, deprecated: true })
  @IsOptional()
  @IsInt()
  @Min(1)
  max_tokens?: number | null;

  @NullableNumber(0, 2)
  temperature?: number | null;

  @NullableNumber(0, 1)
  top_p?: number | null;

  @NullableInteger(0)
  top_k?: number | null;

  @NullableNumber(0, 1)
  min_p?: number | null;

  @NullableNumber(0, 1)
  top_a?: number | null;

  @NullableNumber(-2, 2)
  frequency_penalty?: number | null;

  @NullableNumber(-2, 2)
  presence_penalty?: number | null;

  @NullableNumber(0, 2)
  repetition_penalty?: number | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true })
  @IsOptional()
  @IsInt()
  seed?: number | null;

  /** Up to four stop sequences. */
  @ApiPropertyOptional({
    nullable: true,
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, maxItems: 4 }],
  })
  stop?: string | string[] | null;

  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'number' }, nullable: true })
  @IsOptional()
  @IsObject()
  logit_bias?: object | null;

  @NullableBoolean()
  logprobs?: boolean | null;

  @NullableInteger(0, 20)
  top_logprobs?: number | null;

  /** The number of choices. All of them are reserved and billed. */
  @NullableInteger(1, 128)
  n?: number | null;
}
