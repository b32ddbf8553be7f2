// `node dev/compile.ts <folder>`: compiles the service into the folder with SWC, by the options of .swcrc, so that
// it runs the code that the tests run, and copies its JSON files. Types are not checked: `npm run typecheck` does
// that. The request and response classes are left to dev/compile-dtos.ts.
import { transform, type Options } from '@swc/core';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { isDto, nestConfiguration } from './nest-configuration.ts';

const NOT_COMPILED = /\.(spec|fake)\.ts$|\.d\.ts$/;

const [folder] = process.argv.slice(2) as [string];
const { sourceRoot } = nestConfiguration();
const options = JSON.parse(await readFile(join(import.meta.dirname, '../.swcrc'), 'utf8')) as Options;

async function compile(file: string): Promise<void> {
  const source = join(sourceRoot, file);
  const output = join(folder, file.replace(/\.ts$/, '.js'));
  await mkdir(dirname(output), { recursive: true });
  if (file.endsWith('.json')) return copyFile(source, output);
  const { code, map } = await transform(await readFile(source, 'utf8'), {
    ...options,
    swcrc: false,
    filename: source,
    sourceFileName: relative(dirname(output), source),
    sourceMaps: true,
    inlineSourcesContent: false,
  });
  const mapFile = `${output}.map`;
  await Promise.all([
    writeFile(output, `${code}//# sourceMappingURL=${basename(mapFile)}\n`),
    writeFile(mapFile, map!),
  ]);
}

const files = await readdir(sourceRoot, { recursive: true });
await Promise.all(
  files.filter((file) => /\.(ts|json)$/.test(file) && !NOT_COMPILED.test(file) && !isDto(file)).map(compile),
);
