import type { CompatibleVendor } from './compatible-vendor.js';
import { LOCAL_SERVERS } from './vendor-rows/local-server-rows.js';
import { HOST_TEXT, MODEL_HOSTS } from './vendor-rows/model-host-rows.js';
import { GROQ_TEXT, MODEL_MAKERS, OPENAI_TEXT, XAI_TEXT } from './vendor-rows/model-maker-rows.js';

/** Sources: each vendor's public API reference. */
export const COMPATIBLE_VENDORS: readonly CompatibleVendor[] = [
  { slug: 'openai', baseUrl: 'https://api.openai.com/v1', text: OPENAI_TEXT, embedsBase64: true },
  {
    slug: 'deepinfra',
    baseUrl: 'https://api.deepinfra.com/v1/openai',
    requestsBase64: true,
    unsupported: ['background', 'output_format', 'output_compression', 'quality'],
    text: HOST_TEXT,
  },
  {
    slug: 'togetherai',
    baseUrl: 'https://api.together.xyz/v1',
    requestsBase64: true,
    unsupported: ['background', 'output_compression', 'quality', 'size', 'user'],
    text: HOST_TEXT,
  },
  {
    slug: 'xai',
    baseUrl: 'https://api.x.ai/v1',
    requestsBase64: true,
    unsupported: ['background', 'output_format', 'output_compression', 'quality', 'size'],
    text: XAI_TEXT,
  },
  { slug: 'groq', baseUrl: 'https://api.groq.com/openai/v1', text: GROQ_TEXT },
  ...MODEL_MAKERS,
  ...MODEL_HOSTS,
  ...LOCAL_SERVERS,
];
