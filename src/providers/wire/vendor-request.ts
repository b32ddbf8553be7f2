import type { SecretValue } from '../../kernel/secret-value.js';

/** One POST to a vendor. */
export interface VendorRequest {
  /** Without a trailing slash, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  readonly path: string;
  /** Names and values in turn, in the form undici sends without looking at them twice. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array;
  /** What must not be seen in the vendor's messages. */
  readonly secret: SecretValue | null;
  readonly signal: AbortSignal;
  /** Where the endpoint names its own. */
  readonly timeoutMs?: number;
}
