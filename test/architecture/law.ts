import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';

/** A source file of the repository: its path from the root with forward slashes, its text, and its syntax tree. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

type Sample = readonly [path: string, text: string];

/** A rule of style that a program checks, with samples that it refuses and samples that it accepts. */
export interface Law {
  readonly rule: string;
  /** The files to which the rule applies. */
  readonly applies: (path: string) => boolean;
  /** The faults of the file, one short phrase each. Empty = no faults. */
  readonly find: (source: Source) => readonly string[];
  readonly refuses: readonly Sample[];
  readonly accepts: readonly Sample[];
}

export const inSrc = (path: string): boolean => /^(src|packages)\//.test(path);
export const isTest = (path: string): boolean => /\.(spec|e2e-spec)\.ts$/.test(path);
/** Shipped code: everything under src and packages except specs and fakes. */
export const isShipped = (path: string): boolean => inSrc(path) && !/\.(spec|fake)\.ts$/.test(path);

/** Whether a path is a test, or a folder that contains tests. */
export function hasTests(path: string): boolean {
  if (!existsSync(path)) return false;
  return statSync(path).isDirectory() ? filesUnder(path).some(isTest) : isTest(path);
}

export function sourceOf(path: string, text: string): Source {
  let tree: ts.SourceFile | undefined;
  return {
    path,
    text,
    // Parsed on first use, because many rules read only the text.
    get tree() {
      return (tree ??= ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true));
    },
  };
}

/** All TypeScript files of the repository. Templates of the generator are not TypeScript until they are filled in. */
export function everySource(root: string): readonly Source[] {
  return ['src', 'packages', 'console/src', 'test', 'bench', 'dev', 'schematics']
    .flatMap((folder) => filesUnder(join(root, folder)))
    .map((file) => sourceOf(relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8')));
}

/** All TypeScript files except the output of `npm run console:types`. */
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

/** Visits every node of a tree and collects the results of `visit`. */
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
