import { OptionalString, OptionalUuid } from '../../../http/validation/optional-member.decorators.js';
import { QueryInteger } from '../../../http/validation/query-value.decorators.js';

/** The workspace of an operation on files. */
export class FileQuery {
  /**
   * The default for uploads and lists is the default workspace of the account. The default for one file is any
   * workspace of the account.
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

  /** The id of a file. The list begins after this file. Plain OpenAI clients send this instead of `cursor`. */
  @OptionalString()
  after?: string;
}
