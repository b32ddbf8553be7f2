import type { Lines } from './client-lines';

/** A request of the playground, whose key is in the variable KEY. */
export interface ShownRequest {
  /** Of this installation, without a path. */
  readonly origin: string;
  /** Below /api/v1. */
  readonly path: '/chat/completions' | '/images' | '/audio/speech';
  readonly json: object;
}

const inQuotes = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The method of the openai clients, what it returns, and what is done with it. */
const METHODS = {
  '/chat/completions': {
    method: 'chat.completions.create',
    result: 'stream',
    js: `for await (const { choices } of stream) process.stdout.write(choices[0]?.delta.content ?? '');`,
    python: 'for chunk in stream:\n    if chunk.choices:\n        print(chunk.choices[0].delta.content or "", end="")',
  },
  '/images': {
    method: 'images.generate',
    result: 'images',
    js: `console.log(images.data?.[0]?.b64_json?.slice(0, 60));`,
    python: 'print(images.data[0].b64_json[:60])',
  },
  '/audio/speech': {
    method: 'audio.speech.create',
    result: 'speech',
    js: `await writeFile('speech.mp3', Buffer.from(await speech.arrayBuffer()));`,
    python: 'speech.write_to_file("speech.mp3")',
  },
} as const;

function curl({ origin, path, json }: ShownRequest): string {
  return [
    `curl -sN ${origin}/api/v1${path} \\`,
    `  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\`,
    `  -d ${inQuotes(JSON.stringify(json))}${path === '/audio/speech' ? ' -o speech.mp3' : ''}`,
  ].join('\n');
}

function javaScript({ origin, path, json }: ShownRequest): string {
  const { method, result, js } = METHODS[path];
  return [
    ...(path === '/audio/speech' ? [`import { writeFile } from 'node:fs/promises';`] : []),
    `import OpenAI from 'openai';`,
    ``,
    `const client = new OpenAI({ baseURL: '${origin}/api/v1', apiKey: process.env.KEY });`,
    `const ${result} = await client.${method}(${JSON.stringify(json, null, 2)});`,
    js,
  ].join('\n');
}

const PYTHON_INDENT = '    ';

/** A value of JSON as Python writes it. */
export function pythonOf(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = indent + PYTHON_INDENT;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const entries = Array.isArray(value)
    ? value.map((each) => pythonOf(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${pythonOf(each, inner)}`);
  if (entries.length === 0) return `${open}${close}`;
  return `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}${close}`;
}

function python({ origin, path, json }: ShownRequest): string {
  const { method, result, python: use } = METHODS[path];
  const parameters = Object.entries(json).map(
    ([name, value]) => `${PYTHON_INDENT}${name}=${pythonOf(value, PYTHON_INDENT)},`,
  );
  return [
    `import os`,
    ``,
    `from openai import OpenAI`,
    ``,
    `client = OpenAI(base_url="${origin}/api/v1", api_key=os.environ["KEY"])`,
    `${result} = client.${method}(`,
    ...parameters,
    `)`,
    use,
  ].join('\n');
}

/** The request as programs would make it. */
export const requestLines = (request: ShownRequest): readonly Lines[] => [
  { label: 'curl', code: curl(request) },
  { label: 'openai (JavaScript)', code: javaScript(request) },
  { label: 'openai (Python)', code: python(request) },
];
