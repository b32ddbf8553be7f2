import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { mutate } from '../mutations/mutate.js';
import type { Mutation } from '../mutations/mutation.js';
import { MUTATIONS } from '../mutations/mutations.js';
import { hasTests, isShipped } from './law.js';

const LIST = Object.values(MUTATIONS).flat();

/** The fault of a mutation. Undefined if it can be run. */
function faultOf(mutation: Mutation): string | undefined {
  if (!isShipped(mutation.file) || !existsSync(mutation.file)) return 'its file is no source';
  let mutated;
  try {
    mutated = mutate(readFileSync(mutation.file, 'utf8'), mutation);
  } catch (error) {
    return (error as Error).message;
  }
  if (mutation.text === mutation.replacement) return 'it changes nothing';
  const { diagnostics = [] } = ts.transpileModule(mutated, { reportDiagnostics: true });
  if (diagnostics.length > 0) return 'with it the source cannot be parsed';
  if (mutation.tests.length === 0) return 'it names no tests';
  const [absent] = mutation.tests.filter((path) => !hasTests(path));
  return absent === undefined ? undefined : `${absent} has no tests`;
}

describe('the mutations (npm run test:mutations)', () => {
  it('are at least 40, with different names', () => {
    expect(LIST.length).toBeGreaterThanOrEqual(40);
    expect(new Set(LIST.map(({ name }) => name)).size).toBe(LIST.length);
  });

  it.each(LIST)('can be inserted into the source, and name tests that exist: $name', (mutation) => {
    expect(faultOf(mutation)).toBeUndefined();
  });

  const good = LIST[0]!;
  it.each<[string, Partial<Mutation>]>([
    ['its file is no source', { file: 'src/kernel/absent.ts' }],
    ['its file is no source', { file: 'test/mutations/mutate.ts', text: 'export' }],
    ['occurs nowhere', { text: 'no such text' }],
    ['occurs more than once', { text: 'import' }],
    ['it changes nothing', { replacement: good.text }],
    ['cannot be parsed', { replacement: '}}}' }],
    ['it names no tests', { tests: [] }],
    ['has no tests', { tests: [good.tests[0]!, 'test/e2e/absent'] }],
    ['has no tests', { tests: ['test/mutations'] }],
  ])('would be refused for the reason "%s"', (fault, change) => {
    expect(faultOf({ ...good, ...change })).toContain(fault);
  });
});
