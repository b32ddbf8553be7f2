import type { SecretValue } from '../../kernel/secret-value.js';
import type { ChannelCall } from '../ports/endpoint-call.js';

/** The header that carries a credential, and the prefix of its value. */
export interface CredentialHeader {
  readonly header: string;
  readonly prefix: string;
}

/** The header that carries a credential, in the form of `VendorRequest.headers`. */
export const credentialHeader = ({ header, prefix }: CredentialHeader, credential: SecretValue | null): string[] =>
  credential ? [header, prefix + credential.reveal()] : [];

/** All headers of a request with a body to a vendor, in the same form. None of them comes from the caller. */
export function vendorHeaders(contentType: string, header: CredentialHeader, credential: SecretValue | null): string[] {
  return ['content-type', contentType, ...credentialHeader(header, credential)];
}

/** One request to a vendor. */
export interface VendorRequest {
  /** Default: POST. */
  readonly method?: 'GET';
  /** Without a trailing slash, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  readonly path: string;
  /** Alternating names and values, the form that undici sends without conversion. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array;
  /** The credential to mask in the vendor's messages. */
  readonly secret: SecretValue | null;
  readonly signal: AbortSignal;
  /** The endpoint's own timeout; undefined = the client's. */
  readonly timeoutMs?: number;
  /** Settings of the credential; `baseUrl` already contains its address. */
  readonly channel?: ChannelCall;
}
