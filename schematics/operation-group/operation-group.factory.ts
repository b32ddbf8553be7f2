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

export interface OperationGroupOptions {
  /** The group's name as its path says it, in kebab-case. */
  readonly name: string;
  readonly sourceRoot?: string;
}

/**
 * `nest g operation-group <name>`: writes src/operations/<name>/ and lists its module in src/operations/operations.ts.
 * Node runs this file as it is, so it may use no TypeScript that needs compiling, and import no local file.
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
  ]);
}

function refuseExisting(tree: Tree, folder: string): void {
  const { subfiles, subdirs } = tree.getDir(folder);
  if (subfiles.length + subdirs.length > 0)
    throw new SchematicsException(`${folder} exists already: the group is there. Nothing was written.`);
}

const HEADER = `import type { Type } from '@nestjs/common';
`;

const TABLE = `
/** The table of contents of the API: one module per operation group. */
export const OPERATIONS: Type[] = [];
`;

const GROUP_IMPORT = /^import \{ \w+ \} from '\.\/[\w-]+\/[\w-]+\.module\.js';\n/gm;
const ARRAY = /(export const OPERATIONS\b[^=]*= \[)([^\]]*)(\])/;

/** Adds the module to the table of contents, sorted; leaves everything else in that file as it was. */
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
  const modules = sorted([
    ...(array[2] ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
    moduleClass,
  ]);

  const rest = text
    .replace(GROUP_IMPORT, '')
    .replace(ARRAY, (_all, open: string, _old, close: string) => `${open}\n  ${modules.join(',\n  ')},\n${close}`);
  const afterImports = endOfImports(rest);
  const listed = rest.slice(0, afterImports) + imports.join('') + rest.slice(afterImports);
  if (tree.exists(path)) tree.overwrite(path, listed);
  else tree.create(path, listed);
}

const sorted = (lines: readonly string[]): string[] => [...new Set(lines)].toSorted();

function endOfImports(text: string): number {
  let end = 0;
  for (const match of text.matchAll(/^import [^;]*;\n/gm)) end = match.index + match[0].length;
  return end;
}
