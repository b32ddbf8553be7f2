import type { SecretValue } from '../../kernel/secret-value.js';
import { isHeaderText } from '../../kernel/text/header-text.js';
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
   * Why a credential does not have the form that the endpoint requires, or cannot be sent; quotes no value. Absent =
   * every form is accepted.
   */
  credentialReason?(endpoint: EndpointName, credential: SecretValue): string | undefined;
  /** The vendor's own names of the models that it lists, without cost. Undefined if it has no such list. */
  listModels?(call: ListCall): Promise<readonly string[]> | undefined;
}

/**
 * The reason why a request cannot have a credential in a header; undefined if it can. `member`: the part of the
 * credential that is sent, if it is a document.
 */
export function unsendableReason(provider: string, value: string, member?: string): string | undefined {
  if (isHeaderText(value)) return undefined;
  const subject = member === undefined ? 'The credential' : `The member ${member} of the credential`;
  return `${subject} for provider ${provider} must be a text that an HTTP header can carry`;
}
