/** One vendor that speaks this protocol. What tells vendors apart stands here and nowhere else. */
export interface CompatibleVendor {
  /** The provider slug of the catalogue. */
  readonly slug: string;
  /** Used unless `<SLUG>_BASE_URL` names another. */
  readonly baseUrl: string;
  /** The header that carries the credential, and what stands before it there. */
  readonly auth: { readonly header: string; readonly prefix: string };
  /** Makes URLs unless asked for base64; the others refuse to be asked. */
  readonly asksForBase64?: boolean;
  /** Does not know these request members, and refuses or misreads them. */
  readonly lacks?: readonly string[];
}

const BEARER = { header: 'authorization', prefix: 'Bearer ' };

/** Sources: each vendor's public API reference. */
export const COMPATIBLE_VENDORS: readonly CompatibleVendor[] = [
  { slug: 'openai', baseUrl: 'https://api.openai.com/v1', auth: BEARER },
  {
    slug: 'deepinfra',
    baseUrl: 'https://api.deepinfra.com/v1/openai',
    auth: BEARER,
    asksForBase64: true,
    lacks: ['background', 'output_format', 'output_compression', 'quality'],
  },
  {
    slug: 'togetherai',
    baseUrl: 'https://api.together.xyz/v1',
    auth: BEARER,
    asksForBase64: true,
    lacks: ['background', 'output_compression', 'quality', 'size', 'user'],
  },
  {
    slug: 'xai',
    baseUrl: 'https://api.x.ai/v1',
    auth: BEARER,
    asksForBase64: true,
    lacks: ['background', 'output_format', 'output_compression', 'quality', 'size'],
  },
  { slug: 'groq', baseUrl: 'https://api.groq.com/openai/v1', auth: BEARER },
];
