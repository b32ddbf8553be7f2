import type { SecretValue } from '../../kernel/secret-value.js';

/** The header that carries a credential, and the prefix of its value. */
export interface CredentialHeader {
  readonly header: string;
  readonly prefix: string;
}

/** All headers of a request to a vendor, in the form of `VendorRequest.headers`. None of the caller's is among them. */
export function vendorHeaders(
  contentType: string,
  { header, prefix }: CredentialHeader,
  credential: SecretValue | null,
): string[] {
  return ['content-type', contentType, ...(credential ? [header, prefix + credential.reveal()] : [])];
}

/** One POST to a vendor. */
export interface VendorRequest {
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
}
