import { everySource, isShipped, type Source } from './law.js';

const SOURCES = everySource(process.cwd());

/** The OpenAPI document determines the names of request and response classes. Every migration is called Migration. */
const IS_NAMED_BY_OTHERS = /\.dto\.ts$|^src\/database\/migrations\//;
const TYPE = /^export (?:abstract )?(?:class|interface|type) (\w+)/gm;
const VALUE = /^export (?:async )?(?:function\*?|const) (\w+)/gm;
/**
 * Operation groups, text formats and schema vocabularies have functions of the same name on purpose. The agent
 * imports types only, so it must declare its own functions.
 */
const HAS_PARALLELS = new RegExp(
  [
    String.raw`\.wire\.ts$`,
    '^src/formats/(chat|messages|responses|completions)/',
    '^src/(runtimes/agent|catalogue/names|config)/',
    String.raw`/(schema|query-reader|request-members|model-list)\.ts$`,
  ].join('|'),
);

/** The exported names that several files declare, with these files. */
function sharedNames(
  sources: readonly Pick<Source, 'path' | 'text'>[],
  declaration = TYPE,
  exempt = IS_NAMED_BY_OTHERS,
): string[] {
  const files = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    if (!isShipped(path) || exempt.test(path)) continue;
    for (const [, name] of text.matchAll(declaration)) files.set(name!, (files.get(name!) ?? new Set()).add(path));
  }
  return [...files].filter(([, paths]) => paths.size > 1).map(([name, paths]) => `${name}: ${[...paths].join(', ')}`);
}

describe('the name of an exported class, interface or type', () => {
  it('is declared in one file', () => {
    expect(SOURCES.length).toBeGreaterThan(1_000);
    expect(sharedNames(SOURCES)).toEqual([]);
  });

  it('is reported if two files declare it', () => {
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

describe('the name of an exported function or constant', () => {
  const shared = (sources: readonly Pick<Source, 'path' | 'text'>[]): string[] =>
    sharedNames(sources, VALUE, HAS_PARALLELS);

  it('is declared in one file, except in files that intentionally declare the same names', () => {
    expect(shared(SOURCES)).toEqual([]);
  });

  it('is reported if two files declare it', () => {
    const text = 'export const thingOf = (): void => undefined;';
    expect(
      shared([
        { path: 'src/a.ts', text },
        { path: 'src/b.ts', text: 'export function thingOf() {}' },
        { path: 'src/operations/keys/keys.wire.ts', text },
      ]),
    ).toEqual(['thingOf: src/a.ts, src/b.ts']);
  });
});
