import type { Lines } from './client-lines';

/** A request of the playground. The lines read the key from the variable KEY. */
export interface ShownRequest {
  /** The origin of this installation, without a path. */
  readonly origin: string;
  /** The path below /api/v1. */
  readonly path: '/chat/completions' | '/images' | '/audio/speech';
  readonly json: object;
  /** The files whose content is in the body. The lines read these files. */
  readonly files?: readonly CodeFile[];
}

interface NamedFile {
  readonly name: string;
  readonly mediaType: string;
}

/** A file that the lines read. Two files with the same name become one file in the lines. */
export interface CodeFile extends NamedFile {
  readonly file: NamedFile;
  /** The variable for the file's content in base64. */
  readonly variable: string;
  /** Placeholder in the body for the data URL of the file. */
  readonly url: string;
}

/** A character of Unicode's private use area that marks a variable in a text. */
const MARK = '\uE000';

export const codeFiles = (files: readonly NamedFile[]): CodeFile[] => {
  const names = [...new Set(files.map(({ name }) => name))];
  return files.map((file) => {
    const variable = `file${names.indexOf(file.name) + 1}`;
    return { ...file, file, variable, url: `data:${file.mediaType};base64,${MARK}${variable}${MARK}` };
  });
};

/** One file for each name. */
const distinct = (files: readonly CodeFile[]): CodeFile[] => [
  ...new Map(files.map((file) => [file.variable, file])).values(),
];

const inQuotes = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The method of the openai clients, its result, and how the result is used. */
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

function curl({ origin, path, json, files = [] }: ShownRequest): string {
  const head = [
    `curl -sN ${origin}/api/v1${path} \\`,
    `  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\`,
  ];
  if (files.length === 0)
    return [...head, `  -d ${inQuotes(JSON.stringify(json))}${path === '/audio/speech' ? ' -o speech.mp3' : ''}`].join(
      '\n',
    );
  // The body is passed by standard input, because an argument can have at most 128 kB.
  const body = JSON.stringify(json).replace(/[\\$`]/g, String.raw`\$&`);
  return [
    ...distinct(files).map(({ name, variable }) => `${variable}=$(base64 < ${inQuotes(name)} | tr -d '\\n')`),
    ...head,
    `  -d @- <<JSON`,
    files.reduce((text, { variable }) => text.replaceAll(MARK + variable + MARK, `\${${variable}}`), body),
    `JSON`,
  ].join('\n');
}

function javaScript({ origin, path, json, files = [] }: ShownRequest): string {
  const { method, result, js } = METHODS[path];
  const template = (head: string, variable: string): string => `\`${head}\${${variable}}\``;
  const body = withFiles(JSON.stringify(json, null, 2), files, template);
  return [
    ...(path === '/audio/speech' ? [`import { writeFile } from 'node:fs/promises';`] : []),
    ...(files.length > 0 ? [`import { readFile } from 'node:fs/promises';`] : []),
    `import OpenAI from 'openai';`,
    ``,
    ...distinct(files).map(
      ({ name, variable }) => `const ${variable} = await readFile(${JSON.stringify(name)}, 'base64');`,
    ),
    `const client = new OpenAI({ baseURL: '${origin}/api/v1', apiKey: process.env.KEY });`,
    `const ${result} = await client.${method}(${body});`,
    js,
  ].join('\n');
}

/** Replaces the data URLs of files by expressions of a language. */
const withFiles = (
  code: string,
  files: readonly CodeFile[],
  expression: (head: string, variable: string) => string,
): string =>
  files.reduce((text, { mediaType, variable, url }) => {
    const head = `data:${mediaType};base64,`;
    return text.replaceAll(JSON.stringify(url), expression(head, variable));
  }, code);

const PYTHON_INDENT = '    ';

/** A JSON value in the syntax of Python. */
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

function python({ origin, path, json, files = [] }: ShownRequest): string {
  const { method, result, python: use } = METHODS[path];
  const parameters = Object.entries(json).map(
    ([name, value]) => `${PYTHON_INDENT}${name}=${pythonOf(value, PYTHON_INDENT)},`,
  );
  return [
    ...(files.length > 0 ? [`import base64`] : []),
    `import os`,
    ...(files.length > 0 ? [`from pathlib import Path`] : []),
    ``,
    `from openai import OpenAI`,
    ``,
    ...distinct(files).map(
      ({ name, variable }) => `${variable} = base64.b64encode(Path(${JSON.stringify(name)}).read_bytes()).decode()`,
    ),
    `client = OpenAI(base_url="${origin}/api/v1", api_key=os.environ["KEY"])`,
    `${result} = client.${method}(`,
    ...parameters.map((line) => withFiles(line, files, (head, variable) => `f"${head}{${variable}}"`)),
    `)`,
    use,
  ].join('\n');
}

/** The request in the form that programs use. */
export const requestLines = (request: ShownRequest): readonly Lines[] => [
  { label: 'curl', code: curl(request) },
  { label: 'openai (JavaScript)', code: javaScript(request) },
  { label: 'openai (Python)', code: python(request) },
];
