import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, IsUUID } from 'class-validator';
import { IsOptionalField } from '../../../http/validation/is-optional-field.decorator.js';
import { QueryInteger } from '../../../http/validation/query-value.decorators.js';

/** Which workspace an operation on files is about. */
export class FileQuery {
  /**
   * For uploads and lists, default: the default workspace of the account. For one file, default: any of the account's.
   */
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptionalField()
  @IsUUID()
  workspace_id?: string;
}

export class ListFilesRequest extends FileQuery {
  @QueryInteger({ min: 1, max: 1000, byDefault: 100 })
  limit?: number;

  /** The `cursor` of the page before. */
  @ApiPropertyOptional({ type: String })
  @IsOptionalField()
  @IsString()
  cursor?: string;

  /** The id of a file: those behind it follow. Plain OpenAI clients send it in place of `cursor`. */
  @ApiPropertyOptional({ type: String })
  @IsOptionalField()
  @IsString()
  after?: string;
}
