import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { composeFile, configurationPage, environmentExample } from '../../src/config/variables-page.js';
import { errorsPage } from '../../src/http/errors/errors-page.js';
import { chatErrorsSection } from '../../src/interns/intern-chat.errors.js';
import { lifecyclePage } from '../../src/interns/lifecycle.js';
import { hasTests } from './law.js';

const FILES = (
  await Promise.all(
    ['src', 'packages', 'test', 'bench', 'dev', 'docker', 'schematics'].map(async (folder) =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => !entry.parentPath.includes('node_modules'))
        .filter((entry) => entry.isFile() && /\.(?:m?[jt]s|json|yaml|template)$|Dockerfile$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name)),
    ),
  )
).flat();
let sources: string | undefined;

describe('documentation generated from the code', () => {
  it('docs/configuration.md has the variables that the code reads (npm run docs writes it)', async () => {
    expect(await readFile('docs/configuration.md', 'utf8')).toBe(configurationPage());
  });

  it('.env.example names every variable with its default (npm run docs writes it)', async () => {
    expect(await readFile('.env.example', 'utf8')).toBe(environmentExample());
  });

  it('docker/compose.yaml passes every variable to the service (npm run docs writes the list)', async () => {
    const text = await readFile('docker/compose.yaml', 'utf8');
    expect(composeFile(text)).toBe(text);
  });

  it('docs/errors.md has the errors that the code returns (npm run docs writes it)', async () => {
    expect(await readFile('docs/errors.md', 'utf8')).toBe(errorsPage() + chatErrorsSection());
  });

  it('docs/intern-lifecycle.md prints the transitions that the code has (npm run docs writes it)', async () => {
    expect(await readFile('docs/intern-lifecycle.md', 'utf8')).toBe(lifecyclePage());
  });
});

describe('docs/clients.md', () => {
  it('names for each client two settings, what works, and a test that exists', async () => {
    const text = await readFile('docs/clients.md', 'utf8');
    const rows = text.split('\n').filter((line) => /^\| (?!client )/.test(line));
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) {
      const [client, address, key, works, test] = row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      expect([client, address, key, works]).not.toContain('');
      const spec = /^`(test\/(?:e2e|system)\/[\w/-]+\.e2e-spec\.ts)`$/.exec(test ?? '')?.[1];
      expect([client, spec !== undefined && existsSync(spec)]).toEqual([client, true]);
    }
  });

  it('names only packages that test/package.json lists', async () => {
    const { dependencies } = JSON.parse(await readFile('test/package.json', 'utf8')) as { dependencies: object };
    const text = await readFile('docs/clients.md', 'utf8');
    const named = [...text.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name!);
    expect(named.filter((name) => !(name in dependencies))).toEqual([]);
  });
});

describe('docs/api-rules.md', () => {
  const faultsOf = (page: string): string[] =>
    page.split(/^(?=## )/m).flatMap((section) => {
      const title = section.split('\n')[0]!;
      const line = /\nTests: (`[\w./-]+`(?:,\s`[\w./-]+`)*)\.\n*$/.exec(section)?.[1];
      if (line === undefined) return [`${title} ends without its tests`];
      const paths = [...line.matchAll(/`(.+?)`/g)].map(([, path]) => path!);
      return paths.filter((path) => !hasTests(path)).map((path) => `${title} names ${path}, which has no tests`);
    });

  it('names at the end of each section the tests of the rules in that section', async () => {
    const page = await readFile('docs/api-rules.md', 'utf8');
    expect(page.match(/^## /gm)!.length).toBeGreaterThan(10);
    expect(faultsOf(page)).toEqual([]);
  });

  it.each([
    ['# Rules\n\nA rule.\n', '# Rules ends without its tests'],
    ['## 1. A\n\nTests: `test/e2e`.\n\nA rule.\n', '## 1. A ends without its tests'],
    ['## 1. A\n\nTests: `test/e2e`,\n`test/none.spec.ts`.\n', '## 1. A names test/none.spec.ts, which has no tests'],
    ['## 1. A\n\nTests: `src/main.ts`.\n', '## 1. A names src/main.ts, which has no tests'],
    ['## 1. A\n\nTests: `src/kernel`.\n## 2. B\n', '## 2. B ends without its tests'],
  ])('is refused: %j', (page, fault) => {
    expect(faultsOf(page)).toEqual([fault]);
  });
});

describe('decision records', () => {
  it('have different numbers, and each has its row in the index', async () => {
    const files = (await readdir('docs/decisions')).filter((name) => name !== 'README.md').toSorted();
    const rows = [...(await readFile('docs/decisions/README.md', 'utf8')).matchAll(/^\| \[(\d{4})\]\((.+?)\)/gm)];

    expect(rows.map(([, , file]) => file)).toEqual(files);
    expect(rows.map(([, number]) => number)).toEqual(files.map((file) => file.slice(0, 4)));
    expect(new Set(rows.map(([, number]) => number)).size).toBe(rows.length);
  });
});

/** Pages that describe only the present state. Decision records and performance.md also describe the past. */
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...(await markdownIn('docs')),
  ...(await markdownIn('docs/guides')),
  ...(await markdownIn('docs/operations')),
  ...(await markdownIn('docs/recipes')),
].filter((page) => page !== 'docs/performance.md');
const PATH = /^(?:\.ci|bench|deploy|dev|docker|docs|schematics|src|test)\/[\w./-]*\w\/?$|^[\w-]+\.(?:ts|json|md|yaml)$/;
/** Two or more words joined as in a name of the code. */
const IDENTIFIER = /^(?:[A-Z][a-z\d]+[A-Z]\w*|[a-z][a-z\d]*[A-Z]\w*)(?=[.(]|$)/;
/** Names of other programs and of formats. */
const FOREIGN = new Set(['multipart', 'dockerd']);

describe.each(PAGES)('%s', (page) => {
  it('names files, links and identifiers that exist', async () => {
    const text = await readFile(page, 'utf8');
    const source = await sourceText();
    const outsideOfBlocks = text.replace(/^```[\s\S]*?^```/gm, '');
    const quoted = [...outsideOfBlocks.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
    const links = [...outsideOfBlocks.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(([, link]) => link!);

    const missing = [
      ...quoted.filter((code) => PATH.test(code) && !isThere(code)),
      ...links.filter((link) => !existsSync(join(dirname(page), link))),
      ...quoted.filter((code) => {
        const name = IDENTIFIER.exec(code)?.[0];
        return name !== undefined && !FOREIGN.has(name) && !source.includes(name);
      }),
    ];

    expect(missing).toEqual([]);
  });
});

describe('docs/README.md', () => {
  it('links every page of docs and of its folders guides, operations and recipes', async () => {
    const linked = [...(await readFile('docs/README.md', 'utf8')).matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) =>
      join('docs', link!),
    );
    const folders = ['docs', 'docs/guides', 'docs/operations', 'docs/recipes'];
    const pages = (await Promise.all(folders.map(markdownIn))).flat();
    const all = pages.filter((page) => page !== 'docs/README.md');

    expect(all.length).toBeGreaterThan(20);
    expect(all.filter((page) => !linked.includes(page))).toEqual([]);
  });

  it('and all other checked pages link only to headings that exist', async () => {
    const faults: string[] = [];
    for (const page of PAGES)
      for (const [, file, anchor] of (await readFile(page, 'utf8')).matchAll(
        /\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g,
      )) {
        const target = file === '' ? page : join(dirname(page), file!);
        if (!(await anchorsOf(target)).includes(anchor!)) faults.push(`${page}: ${file}#${anchor}`);
      }
    expect(faults).toEqual([]);
  });
});

/** The anchors that GitHub generates from headings. */
async function anchorsOf(page: string): Promise<string[]> {
  return [...(await readFile(page, 'utf8')).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

async function markdownIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`);
}

/** Whether a path from the root exists, or any file of the repository has this name. */
function isThere(path: string): boolean {
  return existsSync(path) || (!path.includes('/') && FILES.some((file) => file.endsWith(`/${path}`)));
}

async function sourceText(): Promise<string> {
  return (sources ??= (await Promise.all(FILES.map((file) => readFile(file, 'utf8')))).join('\n'));
}
