import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';
import { everySource, isShipped, sourceOf, type Source } from './law.js';

const ROOT = process.cwd();
const { ROOMS } = createRequire(import.meta.url)(join(ROOT, '.dependency-cruiser.cjs')) as {
  ROOMS: Readonly<Record<string, readonly string[]>>;
};

/** The level of a room above the kernel. The composition is not a room and is above all levels. */
function levelOf(room: string): number {
  const below = ROOMS[room];
  return below ? Math.max(-1, ...below.map((name) => levelOf(name.split('/')[0]!))) + 1 : Infinity;
}

const roomOf = (path: string): string => path.split('/')[1]!;

function importsOf({ path, tree }: Source): string[] {
  return tree.statements.flatMap((statement) => {
    const specifier =
      ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement) ? statement.moduleSpecifier : undefined;
    if (!specifier || !ts.isStringLiteral(specifier) || !specifier.text.startsWith('.')) return [];
    return [posix.join(dirname(path), specifier.text).replace(/\.js$/, '.ts')];
  });
}

/**
 * The files of the kernel that no room imports, or only rooms of one level, with these rooms. Includes imports through
 * other files of the kernel.
 */
function misplacedIn(sources: readonly Source[]): string[] {
  const shipped = sources.filter(({ path }) => isShipped(path));
  const importers = new Map<string, string[]>();
  for (const source of shipped)
    for (const target of importsOf(source)) importers.set(target, [...(importers.get(target) ?? []), source.path]);
  const roomsOf = (path: string, seen = new Set<string>()): string[] => {
    if (seen.has(path)) return [];
    seen.add(path);
    return (importers.get(path) ?? []).flatMap((importer) =>
      roomOf(importer) === 'kernel' ? roomsOf(importer, seen) : [roomOf(importer)],
    );
  };
  return shipped
    .filter(({ path }) => roomOf(path) === 'kernel')
    .map(({ path }) => ({ path, rooms: [...new Set(roomsOf(path))].toSorted() }))
    .filter(({ rooms }) => new Set(rooms.map(levelOf)).size < 2)
    .map(({ path, rooms }) => `${path}: ${rooms.join(', ') || 'nobody'}`);
}

const sourcesOf = (files: Readonly<Record<string, string>>): Source[] =>
  Object.entries(files).map(([path, text]) => sourceOf(path, text));

describe('the kernel', () => {
  it('contains only files that at least two rooms of different levels import', () => {
    expect(misplacedIn(everySource(ROOT))).toEqual([]);
  });

  it('is checked for files that only one room, only rooms of one level, or nobody imports', () => {
    const sources = sourcesOf({
      'src/kernel/a.ts': '',
      'src/kernel/b.ts': '',
      'src/kernel/c.ts': '',
      'src/auth/x.ts': "import { a } from '../kernel/a.js';",
      'src/auth/deep/x.ts': "import { a } from '../../kernel/a.js';",
      'src/storage/x.ts': "import { b } from '../kernel/b.js';",
      'src/providers/x.ts': "import type { B } from '../kernel/b.js';",
      'src/billing/x.spec.ts': "import { a } from '../kernel/a.js';",
    });

    expect(misplacedIn(sources)).toEqual([
      'src/kernel/a.ts: auth',
      'src/kernel/b.ts: providers, storage',
      'src/kernel/c.ts: nobody',
    ]);
  });

  it('may contain a file that rooms of two levels import, directly or through the kernel', () => {
    const sources = sourcesOf({
      'src/kernel/a.ts': '',
      'src/kernel/b.ts': "import { a } from './a.js';",
      'src/database/x.ts': "import { b } from '../kernel/b.js';",
      'src/operations/keys/x.ts': "import type { B } from '../../kernel/b.js';",
    });

    expect(misplacedIn(sources)).toEqual([]);
  });
});
