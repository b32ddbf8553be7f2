import type { SecretValue } from '../../kernel/secret-value.js';
import type { EndpointName } from './endpoint-call.js';
import type { ListCall } from './vendor-models.js';

/** Common base of the adapters of all capabilities. */
export abstract class EndpointAdapter {
  /** The adapter's name in catalogue endpoints. */
  abstract readonly name: string;
  /**
   * The reason why this service's configuration allows no calls to the endpoint, whatever the credential; undefined if
   * calls are allowed. Absent = calls are always allowed.
   */
  unreachableReason?(endpoint: EndpointName): string | undefined;
  /**
   * Why a credential does not have the form that the endpoint requires; quotes no value. Absent = every form is
   * accepted.
   */
  credentialReason?(endpoint: EndpointName, credential: SecretValue): string | undefined;
  /** The vendor's own names of the models that it lists, without cost. Undefined if it has no such list. */
  listModels?(call: ListCall): Promise<readonly string[]> | undefined;
}
