import { ApiProperty } from '@nestjs/swagger';
import { IsString, MinLength } from 'class-validator';
import { CursorPageRequest } from '../../../http/validation/cursor-page.request.dto.js';
import { OptionalEnum, OptionalUuid } from '../../../http/validation/optional-member.decorators.js';
import { QueryText, QueryTime } from '../../../http/validation/query-text.decorator.js';
import { QueryFlag, QueryInteger } from '../../../http/validation/query-value.decorators.js';
import { CALL_KINDS, type CallKind } from '../../../usage/call-list.js';

/** The filters of the list. Without a filter, all calls that the key may read are listed. */
export class ListGenerationsRequest extends CursorPageRequest {
  /** The hash of a key. Keys other than management keys can only read their own calls. */
  @QueryText({ example: 'f'.repeat(64) })
  api_key_hash?: string;

  @QueryText({ example: 'author/text-model' })
  model?: string;

  @QueryText({ example: 'north' })
  provider?: string;

  @OptionalEnum(CALL_KINDS)
  kind?: CallKind;

  /** The HTTP status of the response. */
  @QueryInteger({ min: 100, max: 599 })
  status?: number;

  /** Whether the call failed: status 400 or higher. */
  @QueryFlag()
  error?: boolean;

  @OptionalUuid('loose')
  workspace_id?: string;

  /** The tracking id of an end user, as sent in `user`. */
  @QueryText()
  user?: string;

  /** The member who created the key. */
  @OptionalUuid('loose')
  user_id?: string;

  /** The session of a text call. */
  @QueryText()
  session_id?: string;

  /** Calls at or after this time: an ISO 8601 timestamp or date, in UTC if it has no zone. */
  @QueryTime()
  start?: string;

  /** Calls before this time. */
  @QueryTime()
  end?: string;
}

export class GenerationRequest {
  /** The id in the header X-Generation-Id. */
  @ApiProperty({ minLength: 1 })
  @IsString()
  @MinLength(1)
  id: string;
}
