import { strings } from '@angular-devkit/core';
import {
  apply,
  applyTemplates,
  chain,
  mergeWith,
  move,
  type Rule,
  SchematicsException,
  type Tree,
  url,
} from '@angular-devkit/schematics';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export interface OperationGroupOptions {
  /** The group's name as used in its path, in kebab-case. */
  readonly name: string;
  readonly sourceRoot?: string;
}

/**
 * `nest g operation-group <name>`: writes src/operations/<name>/, lists its module in src/operations/operations.ts, and
 * adds its route to the access matrix of the tests. Node runs this file without compiling it, so it may use only
 * erasable TypeScript, and must not import local files.
 */
export function operationGroup({ name, sourceRoot = 'src' }: OperationGroupOptions): Rule {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new SchematicsException(
      `"${name}" cannot name a group: use lower-case words joined by hyphens, such as end-users.`,
    );
  }
  const operations = `${sourceRoot}/operations`;
  const { classify, camelize } = strings;
  const title = name.replaceAll('-', ' ');
  return chain([
    (tree: Tree) => refuseExisting(tree, `${operations}/${name}`),
    mergeWith(
      apply(url('./files'), [applyTemplates({ name, classify, camelize, title }), move(`${operations}/${name}`)]),
    ),
    (tree: Tree) => listGroup(tree, `${operations}/operations.ts`, name, `${classify(name)}Module`),
    (tree: Tree) => addAccessRow(tree, name),
    (tree: Tree) =>
      formatFiles(tree, [...filesIn(tree, `${operations}/${name}`), `${operations}/operations.ts`, MATRIX]),
  ]);
}

function refuseExisting(tree: Tree, folder: string): void {
  const { subfiles, subdirs } = tree.getDir(folder);
  if (subfiles.length + subdirs.length > 0)
    throw new SchematicsException(`${folder} exists already. Nothing was written.`);
}

const HEADER = `import type { Type } from '@nestjs/common';
`;

const TABLE = `
/** The table of contents of the API: one module per operation group. */
export const OPERATIONS: Type[] = [];
`;

const GROUP_IMPORT = /^import \{ \w+ \} from '\.\/[\w-]+\/[\w-]+\.module\.js';\n/gm;
const ARRAY = /(export const OPERATIONS\b[^=]*= \[)([^\]]*)(\])/;

/**
 * Adds the module to the table of contents. Leaves everything else in that file unchanged, including the order of the
 * other modules.
 */
export function listGroup(tree: Tree, path: string, name: string, moduleClass: string): void {
  const text = tree.exists(path) ? tree.readText(path) : HEADER + TABLE;
  const array = ARRAY.exec(text);
  if (!array)
    throw new SchematicsException(
      `${path} has no array OPERATIONS to list the group in: expected "export const OPERATIONS: Type[] = [".`,
    );

  const imports = sorted([
    ...(text.match(GROUP_IMPORT) ?? []),
    `import { ${moduleClass} } from './${name}/${name}.module.js';\n`,
  ]);
  const modules = insertedByName(
    (array[2] ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
    moduleClass,
  );

  const rest = text
    .replace(GROUP_IMPORT, '')
    .replace(ARRAY, (_all, open: string, _old, close: string) => `${open}\n  ${modules.join(',\n  ')},\n${close}`);
  const afterImports = endOfImports(rest);
  const listed = rest.slice(0, afterImports) + imports.join('') + rest.slice(afterImports);
  if (tree.exists(path)) tree.overwrite(path, listed);
  else tree.create(path, listed);
}

/**
 * Express matches routes in the order of the modules. The first modules are placed by hand, the rest is sorted by name.
 */
function insertedByName(modules: readonly string[], added: string): string[] {
  if (modules.includes(added)) return [...modules];
  let start = modules.length;
  while (start > 0 && (start === modules.length || modules[start - 1]! < modules[start]!)) start--;
  const before = modules.findIndex((module, index) => index >= start && module > added);
  return modules.toSpliced(before < 0 ? modules.length : before, 0, added);
}

const MATRIX = 'test/support/api/access-matrix.data.ts';

/** Adds the expected statuses of the group's list, by kind of key. The access test fails for a route without a row. */
export function addAccessRow(tree: Tree, name: string): void {
  if (!tree.exists(MATRIX)) return;
  const text = tree.readText(MATRIX);
  const end = text.lastIndexOf('\n];\n');
  if (end < 0)
    throw new SchematicsException(
      `${MATRIX} has no table to write the row of the route into: expected it to end with "];".`,
    );
  // The statuses of the class `administration`, which the generated controller has.
  const row = `  ['GET /${name}', [401, 401, 401, 401, 401, 401, 200, 401, 200], 'management'],`;
  tree.overwrite(MATRIX, `${text.slice(0, end)}\n${row}${text.slice(end)}`);
}

interface Prettier {
  readonly resolveConfig: (filepath: string) => Promise<object | null>;
  readonly format: (text: string, options: object) => Promise<string>;
}

/** Prettier is installed as a package of test/package.json. */
function loadPrettier(): Prettier {
  try {
    return createRequire(join(process.cwd(), 'test/package.json'))('prettier') as Prettier;
  } catch {
    throw new SchematicsException('Prettier is not installed: run `npm run test:packages` first.');
  }
}

/** Prettier breaks lines depending on the length of the name, so the templates alone cannot be formatted. */
async function formatFiles(tree: Tree, paths: readonly string[]): Promise<void> {
  const { format, resolveConfig } = loadPrettier();
  for (const path of paths.filter((each) => tree.exists(each))) {
    const filepath = join(process.cwd(), path);
    const config = await resolveConfig(filepath);
    tree.overwrite(path, await format(tree.readText(path), { ...config, filepath }));
  }
}

function filesIn(tree: Tree, folder: string): string[] {
  const paths: string[] = [];
  tree.getDir(folder).visit((path) => paths.push(path));
  return paths;
}

const sorted = (lines: readonly string[]): string[] => [...new Set(lines)].toSorted();

function endOfImports(text: string): number {
  let end = 0;
  for (const match of text.matchAll(/^import [^;]*;\n/gm)) end = match.index + match[0].length;
  return end;
}
