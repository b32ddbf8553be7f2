import type { SecretValue } from '../../kernel/secret-value.js';
import type { ChannelCall } from '../ports/endpoint-call.js';

/** The header that carries a credential, and the prefix of its value. */
export interface CredentialHeader {
  readonly header: string;
  readonly prefix: string;
}

export const BEARER: CredentialHeader = { header: 'authorization', prefix: 'Bearer ' };

/** The header that carries a credential, in the form of `VendorRequest.headers`. */
export const credentialHeader = (credential: SecretValue | null, { header, prefix } = BEARER): string[] =>
  credential ? [header, prefix + credential.reveal()] : [];

/** All headers of a request with a body, in the form of `VendorRequest.headers`. No header comes from the caller. */
export function vendorHeaders(contentType: string, credential: SecretValue | null, header = BEARER): string[] {
  return ['content-type', contentType, ...credentialHeader(credential, header)];
}

/** One request to a vendor: a POST, or a GET if there is no body. */
export interface VendorRequest {
  /** Without a trailing slash, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  readonly path: string;
  /** Alternating names and values, a form that undici sends without conversion. */
  readonly headers: readonly string[];
  readonly body?: string | Uint8Array;
  /** The credential to mask in the vendor's messages. */
  readonly secret: SecretValue | null;
  readonly signal: AbortSignal;
  /** The endpoint's own timeout; undefined = the client's. */
  readonly timeoutMs?: number;
  /** Settings of the credential; `baseUrl` already contains its address. */
  readonly channel?: ChannelCall;
}
