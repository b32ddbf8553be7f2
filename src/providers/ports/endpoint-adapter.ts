import type { SecretValue } from '../../kernel/secret-value.js';
import { isHeaderText } from '../../kernel/text/header-text.js';
import type { EndpointName, ListCall } from './endpoint-call.js';

/** Checks of endpoints before a call. */
export interface EndpointChecks {
  /**
   * The reason why this service's configuration allows no calls to the endpoint with any credential; undefined if calls
   * are allowed.
   */
  unreachableReason(endpoint: EndpointName): string | undefined;
  /**
   * The reason why a credential has the wrong form for the endpoint or cannot be sent; undefined if it can be used. The
   * reason quotes no value of the credential.
   */
  credentialReason(endpoint: EndpointName, credential: SecretValue): string | undefined;
}

/** Common base of the adapters of all capabilities. */
export abstract class EndpointAdapter implements EndpointChecks {
  /** The adapter's name in catalogue endpoints. */
  abstract readonly name: string;

  /** `checks`: absent = calls are always allowed, and credentials of every form are accepted. */
  constructor(private readonly checks?: EndpointChecks) {}

  unreachableReason(endpoint: EndpointName): string | undefined {
    return this.checks?.unreachableReason(endpoint);
  }

  credentialReason(endpoint: EndpointName, credential: SecretValue): string | undefined {
    return this.checks?.credentialReason(endpoint, credential);
  }

  /**
   * Reads the vendor's own names of its models, by a request that costs nothing. Undefined if the vendor has no such
   * list.
   */
  listModels?(call: ListCall): Promise<readonly string[]> | undefined;
}

/**
 * The reason why a request cannot have a credential in a header; undefined if it can. `member`: the member that is
 * sent, if the credential is a JSON object.
 */
export function unsendableReason(provider: string, value: string, member?: string): string | undefined {
  if (isHeaderText(value)) return undefined;
  const subject = member === undefined ? 'The credential' : `The member ${member} of the credential`;
  return `${subject} for provider ${provider} must be a text that an HTTP header can carry`;
}
