import ts from 'typescript';
import { gather, isShipped, type Law } from './law.js';

/** Words that are only the names of vendors. They are found inside longer words too (`OpenAiAdapter`). */
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
/** Names that are also English words. They are refused only as a whole string. */
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
 * Whether a text is a sentence for readers, such as a description in the OpenAPI document. A sentence may name a
 * vendor; another value of the program may not.
 */
const isProse = (text: string): boolean => text.trim().split(/\s+/).length > 3;

const mayName = (path: string): boolean =>
  path.startsWith('src/providers/adapters/') ||
  path === 'src/live-adapters.ts' ||
  // The published formats themselves contain these names.
  path === 'src/kernel/wire-names.ts' ||
  /^src\/catalogue\/([^/]+\/)*(data|seed)/.test(path);

/** The vendor that serves a call is data (docs/architecture.md, section 2). */
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
