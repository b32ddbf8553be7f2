import type { SecretValue } from '../../kernel/secret-value.js';
import type { EndpointName } from './endpoint-call.js';
import type { ListCall } from './vendor-models.js';

/** What the adapters of every capability have. */
export abstract class EndpointAdapter {
  /** The adapter's name as catalogue endpoints carry it. */
  abstract readonly name: string;
  /**
   * Why the endpoint cannot be called as this service is set up, whatever the credential; undefined where it can.
   * Absent = it always can.
   */
  unreachableReason?(endpoint: EndpointName): string | undefined;
  /** Why a credential is not of the form that the endpoint takes; quotes no value. Absent = it takes any. */
  credentialReason?(endpoint: EndpointName, credential: SecretValue): string | undefined;
  /** The vendor's own names of the models that it lists, at no cost. Undefined where it has no such list. */
  listModels?(call: ListCall): Promise<readonly string[]> | undefined;
}
