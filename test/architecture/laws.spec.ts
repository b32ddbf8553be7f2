import { codeLaws } from './code.laws.js';
import { consoleLaws } from './console.laws.js';
import { fileLaws } from './file.laws.js';
import { everySource, sourceOf } from './law.js';
import { packageLaws } from './package.laws.js';
import { tableLaws } from './table.laws.js';
import { testLaws } from './test.laws.js';
import { textLaws } from './text.laws.js';
import { vendorLaws } from './vendor.laws.js';

const LAWS = [
  ...fileLaws,
  ...codeLaws,
  ...consoleLaws,
  ...packageLaws,
  ...tableLaws,
  ...testLaws,
  ...textLaws,
  ...vendorLaws,
];
const SOURCES = everySource(process.cwd());

describe('the style rules of the repository (laws)', () => {
  it('are checked in every file of src and test', () => {
    expect(SOURCES.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['src/kernel/errors/errors.ts', 'test/architecture/laws.spec.ts']),
    );
  });

  it.each(LAWS)('$rule', ({ applies, find }) => {
    const broken = SOURCES.filter(({ path }) => applies(path)).flatMap((source) =>
      find(source).map((wrong) => `${source.path}: ${wrong}`),
    );

    expect(broken).toEqual([]);
  });

  it.each(LAWS)('would detect a violation of: $rule', ({ applies, find, refuses }) => {
    const unnoticed = refuses.filter(([path, text]) => !applies(path) || find(sourceOf(path, text)).length === 0);

    expect(refuses).not.toEqual([]);
    expect(unnoticed).toEqual([]);
  });

  it.each(LAWS)('allows code that follows: $rule', ({ applies, find, accepts }) => {
    const refused = accepts.filter(([path, text]) => applies(path) && find(sourceOf(path, text)).length > 0);

    expect(refused).toEqual([]);
  });
});
