import ts from 'typescript';
import { gather, isShipped, type Law } from './law.js';

/** Names that are nothing but a vendor's; found inside longer words too (`OpenAiAdapter`). */
const UNMISTAKABLE = new RegExp(
  [
    'open-?ai(?!-?compatible)',
    'anthropic',
    'eleven-?labs',
    'deepgram',
    'lmnt',
    'deepinfra',
    'together-?ai',
    'stability-?ai',
    'black-?forest',
    'cartesia',
    'mistral',
    'cohere',
    'recraft',
    'ideogram',
    'minimax',
    'bytedance',
    'vertex-?ai',
    'bedrock',
  ].join('|'),
  'i',
);
/** Names that are English words too: refused only as the whole of a string. */
const AMBIGUOUS = new Set([
  'google',
  'azure',
  'xai',
  'fal',
  'luma',
  'hume',
  'replicate',
  'fireworks',
  'together',
  'stability',
  'groq',
  'amazon',
]);

const nameIn = (text: string): string | undefined =>
  UNMISTAKABLE.exec(text)?.[0] ?? (AMBIGUOUS.has(text.toLowerCase()) ? text : undefined);

/**
 * A sentence for a reader may name a vendor (a description in the OpenAPI document); a value of the program may not.
 */
const isProse = (text: string): boolean => text.trim().split(/\s+/).length > 3;

const mayName = (path: string): boolean =>
  path.startsWith('src/providers/adapters/') ||
  path === 'src/live-adapters.ts' ||
  // Names that the published formats themselves have.
  path === 'src/kernel/wire-names.ts' ||
  /^src\/catalogue\/([^/]+\/)*(data|seed)/.test(path);

/** Which vendor answers is data (docs/architecture.md, section 2). */
export const vendorLaws: readonly Law[] = [
  {
    rule: 'a vendor is named only in its adapter, in the list of adapters, and in catalogue data',
    applies: (path) => isShipped(path) && !mayName(path),
    find: ({ tree }) =>
      gather(tree, (node) => {
        if (ts.isIdentifier(node)) return UNMISTAKABLE.test(node.text) ? node.text : undefined;
        if (
          !ts.isStringLiteralLike(node) &&
          !ts.isTemplateHead(node) &&
          !ts.isTemplateMiddle(node) &&
          !ts.isTemplateTail(node)
        )
          return undefined;
        return isProse(node.text) ? undefined : nameIn(node.text);
      }),
    refuses: [
      ['src/inference/x.ts', "if (endpoint.provider === 'openai') skip();"],
      ['src/inference/x.ts', "const slow = new Set(['replicate']);"],
      ['src/inference/x.ts', 'const url = `https://api.elevenlabs.io/${path}`;'],
      ['src/billing/x.ts', 'class OpenAiPricing {}'],
    ],
    accepts: [
      ['src/providers/adapters/openai/openai.adapter.ts', "const name = 'openai';"],
      ['src/live-adapters.ts', "import { OpenAiAdapter } from './providers/adapters/openai/openai.adapter.js';"],
      [
        'src/http/openapi/openapi.ts',
        "const description = 'Takes the request of a plain OpenAI client.'; const version = 'openapi';",
      ],
      ['src/inference/x.ts', 'const copies = replicate(rows);'],
    ],
  },
];
