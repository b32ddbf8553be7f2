import { ApiProperty } from '@nestjs/swagger';
import { CALL_KINDS } from '../../../usage/call-list.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { CursorListResponse } from '../../../http/reply/data-response.js';
import { GENERATION_LIST_EXAMPLE } from './generations.examples.js';

/** One call of a list. Amounts in USD, times in milliseconds. */
export class GenerationListItem {
  /** The id in the header X-Generation-Id. GET /generations/{id} returns the details. */
  @ApiProperty({ example: 'gen-019ab0c4-3c5e-7a61-9d0e-1f2a3b4c5d6e' })
  id: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ enum: CALL_KINDS })
  kind: string;

  @ApiProperty({ type: String, nullable: true })
  model: string | null;

  @ApiProperty({ type: String, nullable: true })
  provider_name: string | null;

  /** The HTTP status of the response; 499 = the caller disconnected. */
  @ApiProperty({ type: 'integer' })
  status: number;

  @ApiProperty({ type: String, nullable: true })
  finish_reason: string | null;

  @ApiProperty({ type: String, nullable: true })
  api_key_hash: string | null;

  @ApiProperty({ type: String, nullable: true })
  workspace_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  external_user: string | null;

  @ApiProperty()
  is_byok: boolean;

  /** The charge to the account's credits. */
  @ApiProperty()
  usage: number;

  /** The cost of the call, charged to the credits or to an own credential. */
  @ApiProperty()
  total_cost: number;

  @ApiProperty({ type: 'integer' })
  tokens_prompt: number;

  @ApiProperty({ type: 'integer' })
  tokens_completion: number;

  @ApiProperty({ type: 'integer' })
  tokens_reasoning: number;

  @ApiProperty({ type: 'integer' })
  tokens_cached: number;

  @ApiProperty({ type: 'integer' })
  characters: number;

  @ApiProperty({ type: 'integer' })
  images: number;

  /** Until the first byte of the response. */
  @ApiProperty()
  latency: number;

  /** Until the end of the response. */
  @ApiProperty()
  generation_time: number;
}

@ResponseExample(GENERATION_LIST_EXAMPLE)
export class GenerationListResponse extends CursorListResponse(GenerationListItem) {
  /** The list contains the calls that were recorded before this time. */
  @ApiProperty({ format: 'date-time' })
  as_of: string;
}
