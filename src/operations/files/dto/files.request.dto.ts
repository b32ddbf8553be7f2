import { OptionalString, OptionalUuid } from '../../../http/validation/optional-member.decorators.js';
import { QueryInteger } from '../../../http/validation/query-value.decorators.js';

/** The workspace of an operation on files. */
export class FileQuery {
  /**
   * For uploads and lists: default = the default workspace of the account. For one file: default = any workspace of the
   * account.
   */
  @OptionalUuid()
  workspace_id?: string;
}

export class ListFilesRequest extends FileQuery {
  @QueryInteger({ min: 1, max: 1000, byDefault: 100 })
  limit?: number;

  /** The `cursor` of the previous page. */
  @OptionalString()
  cursor?: string;

  /** The id of a file: lists the files after it. Plain OpenAI clients send it instead of `cursor`. */
  @OptionalString()
  after?: string;
}
