import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';

/** A source file of the house: its path from the root with forward slashes, its text, and its parsed tree. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

type Sample = readonly [path: string, text: string];

/** A rule of style that a machine can hold, with samples that show what it refuses and what it lets pass. */
export interface Law {
  readonly rule: string;
  /** The files that the rule speaks about. */
  readonly applies: (path: string) => boolean;
  /** What is wrong in the file, one short phrase each; empty = lawful. */
  readonly find: (source: Source) => readonly string[];
  readonly refuses: readonly Sample[];
  readonly accepts: readonly Sample[];
}

export const inSrc = (path: string): boolean => /^(src|packages)\//.test(path);
export const isTest = (path: string): boolean => /\.(spec|e2e-spec)\.ts$/.test(path);
/** Code that ships: everything under src but specs and fakes. */
export const isShipped = (path: string): boolean => inSrc(path) && !/\.(spec|fake)\.ts$/.test(path);

/** Whether a path is a test, or a folder with one. */
export function hasTests(path: string): boolean {
  if (!existsSync(path)) return false;
  return statSync(path).isDirectory() ? filesUnder(path).some(isTest) : isTest(path);
}

export function sourceOf(path: string, text: string): Source {
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true) };
}

/** Every TypeScript file of the house. The generator's templates are not TypeScript before they are filled in. */
export function everySource(root: string): readonly Source[] {
  return ['src', 'packages', 'console/src', 'test', 'bench', 'dev', 'schematics']
    .flatMap((folder) => filesUnder(join(root, folder)))
    .map((file) => sourceOf(relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8')));
}

/** All but what `npm run console:types` writes. */
const SOURCE = /(?<!^schema\.d)\.tsx?$/;

function filesUnder(folder: string): string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return entries
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesUnder(path);
      return entry.isFile() && SOURCE.test(entry.name) ? [path] : [];
    })
    .toSorted();
}

/** Walks the whole tree and gathers what `visit` answers for each node. */
export function gather(tree: ts.SourceFile, visit: (node: ts.Node) => string | undefined): string[] {
  const found: string[] = [];
  const walk = (node: ts.Node): void => {
    const wrong = visit(node);
    if (wrong !== undefined)
      found.push(`line ${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}: ${wrong}`);
    ts.forEachChild(node, walk);
  };
  walk(tree);
  return found;
}
