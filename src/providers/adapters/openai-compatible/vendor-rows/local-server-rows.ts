import { NO_URLS, type CompatibleVendor, type TextTraits } from '../compatible-vendor.js';
import { HOST_TEXT } from './model-host-rows.js';

const LOCAL_TEXT: TextTraits = { ...HOST_TEXT, ...NO_URLS };

/**
 * Servers that teams run themselves, on this machine unless `<SLUG>_BASE_URL` is set. They need no credential; if one
 * is set, it is sent. Only the length of the context limits their output.
 */
export const LOCAL_SERVERS: readonly CompatibleVendor[] = [
  { slug: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', text: { ...LOCAL_TEXT, messageReasoning: 'reasoning' } },
  { slug: 'lmstudio', baseUrl: 'http://127.0.0.1:1234/v1', text: LOCAL_TEXT },
  {
    slug: 'vllm',
    baseUrl: 'http://127.0.0.1:8000/v1',
    text: { ...LOCAL_TEXT, messageReasoning: 'reasoning' },
    embedsBase64: true,
  },
  {
    slug: 'sglang',
    baseUrl: 'http://127.0.0.1:30000/v1',
    text: { ...LOCAL_TEXT, messageReasoning: 'reasoning_content' },
  },
  {
    slug: 'llama.cpp',
    baseUrl: 'http://127.0.0.1:8080/v1',
    text: { ...LOCAL_TEXT, messageReasoning: 'reasoning_content' },
  },
];
