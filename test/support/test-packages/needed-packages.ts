import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const TEST_FOLDER = resolve(import.meta.dirname, '../..');
const INSTALLED = ['test', 'node_modules', ''].join('/');

/** Matches `import`, `export … from`, `import()` and `.resolve()` of a literal, but not `import type`. */
const SPECIFIER =
  /(?:^\s*(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?|\bimport\(\s*|\.resolve\(\s*)'([^'\n]+)'/gm;

/** The names of the packages of test/package.json. */
export function testPackages(): readonly string[] {
  const { dependencies } = JSON.parse(readFileSync(join(TEST_FOLDER, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  return Object.keys(dependencies);
}

/**
 * The packages of test/package.json that a file loads, directly or through its imports. Includes packages whose
 * installed folder a file names by path. Files of src are not searched, because they import none of these packages
 * (test/architecture).
 */
export function neededPackages(file: string, packages: readonly string[] = testPackages()): readonly string[] {
  const needed = new Set<string>();
  for (const each of reachedFrom(file)) {
    const { text, specifiers } = readImports(each);
    if (text.includes(INSTALLED)) needed.add(INSTALLED);
    for (const specifier of specifiers) {
      const name = packages.find((one) => specifier === one || specifier.startsWith(`${one}/`));
      if (name) needed.add(name);
    }
  }
  return [...needed].toSorted();
}

interface Imports {
  readonly text: string;
  readonly specifiers: readonly string[];
}

const imports = new Map<string, Imports>();

function readImports(file: string): Imports {
  let known = imports.get(file);
  if (!known) {
    const text = readFileSync(file, 'utf8');
    known = { text, specifiers: [...text.matchAll(SPECIFIER)].map(([, specifier]) => specifier!) };
    imports.set(file, known);
  }
  return known;
}

function reachedFrom(file: string): ReadonlySet<string> {
  const reached = new Set([file]);
  for (const each of reached)
    for (const specifier of readImports(each).specifiers)
      if (specifier.startsWith('.')) {
        const imported = sourceOf(resolve(dirname(each), specifier));
        if (imported && !imported.includes('/src/')) reached.add(imported);
      }
  return reached;
}

const sourceOf = (path: string): string | undefined =>
  [path.replace(/\.js$/, '.ts'), path].find((candidate) => /\.(ts|mjs)$/.test(candidate) && existsSync(candidate));
