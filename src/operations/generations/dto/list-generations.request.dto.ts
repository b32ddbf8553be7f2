import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsUUID } from 'class-validator';
import { CursorPageRequest } from '../../../http/validation/cursor-page.request.dto.js';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { QueryText, QueryTime } from '../../../http/validation/query-text.decorator.js';
import { QueryFlag, QueryInteger } from '../../../http/validation/query-value.decorators.js';
import { CALL_KINDS, type CallKind } from '../../../usage/call-list.js';

/** Which calls are listed; without a filter all that the key may see. */
export class ListGenerationsRequest extends CursorPageRequest {
  /** The hash of a key. Keys other than management keys see their own calls only. */
  @QueryText({ example: 'f'.repeat(64) })
  api_key_hash?: string;

  @QueryText({ example: 'author/text-model' })
  model?: string;

  @QueryText({ example: 'north' })
  provider?: string;

  @ApiPropertyOptional({ enum: CALL_KINDS })
  @IsOptionalField()
  @IsIn(CALL_KINDS)
  kind?: CallKind;

  /** The HTTP status of the response. */
  @QueryInteger({ min: 100, max: 599 })
  status?: number;

  /** Whether the call failed, which is every status from 400. */
  @QueryFlag()
  error?: boolean;

  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptionalField()
  @IsUUID('loose')
  workspace_id?: string;

  /** The tracking id of an end user, as calls sent it in `user`. */
  @QueryText()
  user?: string;

  /** The member who created the key. */
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptionalField()
  @IsUUID('loose')
  user_id?: string;

  /** The session that text calls named. */
  @QueryText()
  session_id?: string;

  /** Calls from this moment on: an ISO 8601 timestamp or date; without a zone UTC. */
  @QueryTime()
  start?: string;

  /** Calls before this moment. */
  @QueryTime()
  end?: string;
}
