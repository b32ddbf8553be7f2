import { QueryInteger } from '../../../http/validation/query-value.decorators.js';

export class ListWorkspacesRequest {
  /** Workspaces to skip. */
  @QueryInteger({ min: 0, byDefault: 0 })
  offset?: number;

  @QueryInteger({ min: 1, max: 100, byDefault: 50 })
  limit?: number;
}
