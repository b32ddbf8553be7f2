import { everySource, isShipped, type Source } from './law.js';

/** Request and response classes have their names in the OpenAPI document, each migration is called Migration. */
const IS_NAMED_BY_OTHERS = /\.dto\.ts$|^src\/database\/migrations\//;
const DECLARATION = /^export (?:abstract )?(?:class|interface|type) (\w+)/gm;

/** Each name of an exported class, interface or type that two files declare, with the files. */
function sharedNames(sources: readonly Pick<Source, 'path' | 'text'>[]): string[] {
  const files = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    if (!isShipped(path) || IS_NAMED_BY_OTHERS.test(path)) continue;
    for (const [, name] of text.matchAll(DECLARATION)) files.set(name!, (files.get(name!) ?? new Set()).add(path));
  }
  return [...files].filter(([, paths]) => paths.size > 1).map(([name, paths]) => `${name}: ${[...paths].join(', ')}`);
}

describe('the name of an exported class, interface or type', () => {
  it('stands for one thing', () => {
    const sources = everySource(process.cwd());
    expect(sources.length).toBeGreaterThan(1_000);
    expect(sharedNames(sources)).toEqual([]);
  });

  it('is found where two files declare it', () => {
    const thing = 'export interface Thing {}';
    expect(sharedNames([{ path: 'src/a.ts', text: thing }])).toEqual([]);
    expect(
      sharedNames([
        { path: 'src/a.ts', text: thing },
        { path: 'packages/b/src/c.ts', text: 'export abstract class Thing {}' },
        { path: 'src/x.dto.ts', text: thing },
      ]),
    ).toEqual(['Thing: src/a.ts, packages/b/src/c.ts']);
  });
});
