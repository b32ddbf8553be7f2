import { transformSync } from '@swc/core';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { showSourcePositions } from './stack-traces.js';

const SOURCE = `interface Thing {
  readonly name: string;
}

export function fail(thing: Thing): never {
  throw new TypeError(thing.name);
}
`;

describe('a stack trace', () => {
  let folder: string;
  let fail: (thing: { name: string }) => never;
  const { prepareStackTrace } = Error;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-'));
    const { code, map } = transformSync(SOURCE, {
      swcrc: false,
      filename: 'thing.ts',
      sourceMaps: true,
      jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    });
    for (const name of ['mapped', 'bare']) await writeFile(join(folder, `${name}.mjs`), code);
    await writeFile(join(folder, 'mapped.mjs.map'), map!);
  });
  afterAll(() => rm(folder, { recursive: true }));
  afterEach(() => {
    Error.prepareStackTrace = prepareStackTrace;
  });

  async function stackOf(name: string, below = folder): Promise<string[]> {
    ({ fail } = (await import(pathToFileURL(join(folder, `${name}.mjs`)).href)) as { fail: typeof fail });
    showSourcePositions(below);
    try {
      return fail({ name: 'broken' });
    } catch (error) {
      return (error as Error).stack!.split('\n');
    }
  }

  it('shows the position of the source', async () => {
    const [head, first, second] = await stackOf('mapped');

    expect([head, first]).toEqual(['TypeError: broken', `    at fail (${join(folder, 'thing.ts')}:6:9)`]);
    expect(second).toContain('stack-traces.spec');
  });

  it.each([
    ['a file without a map', 'bare', undefined],
    ['a file of another folder', 'mapped', '/elsewhere'],
  ])('shows the position of the compiled file for %s', async (_, name, below) => {
    expect((await stackOf(name, below))[1]).toMatch(/^ {4}at fail \(file:\/\/.*\.mjs:2:11\)$/);
  });
});
