import { OptionalString, OptionalUuid } from '../../../http/validation/optional-member.decorators.js';
import { documentedProviders } from '../../../catalogue/published-providers.js';
import { QueryInteger } from '../../../http/validation/query-value.decorators.js';

/** Which credentials to list (specification, "GET /byok"). */
export class ListByokRequest {
  /** The number of credentials to skip. */
  @QueryInteger({ min: 0, byDefault: 0, nullable: true })
  offset?: number;

  @QueryInteger({ min: 1, max: 100, byDefault: 50 })
  limit?: number;

  /**
   * Lists the credentials that serve this workspace. Keys with access to the whole account also get the credentials for
   * all workspaces. Default for a standard key: its workspace; for a management key: the default workspace of its
   * account.
   */
  @OptionalUuid()
  workspace_id?: string;

  /**
   * A provider slug of the catalogue or of the published API. The list is empty for a slug of the published API if this
   * service does not have its provider.
   */
  @OptionalString({ enum: documentedProviders })
  provider?: string;
}
