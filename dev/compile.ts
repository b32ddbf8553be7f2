// `node dev/compile.ts <folder>`: compiles the service and the workspaces into the folder with SWC, with the options of
// .swcrc, so that the build and the tests run the same code. Also copies the JSON files. Does not check types: `npm run
// typecheck` does. dev/compile-dtos.ts compiles the request and response classes.
import { transform, type Options } from '@swc/core';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isDto, sourceRoot } from './nest-configuration.ts';

const NOT_COMPILED = /\.(spec|fake)\.ts$|\.d\.ts$/;

/** The workspaces. A build contains a copy of each, so that later changes do not affect it. */
const WORKSPACES = 'packages';
const workspaces = existsSync(WORKSPACES) ? await readdir(WORKSPACES) : [];

const [folder] = process.argv.slice(2) as [string];
const options = JSON.parse(await readFile(join(import.meta.dirname, '../.swcrc'), 'utf8')) as Options;

async function compile(file: string, root: string, outRoot: string): Promise<void> {
  const source = join(root, file);
  const output = join(outRoot, file.replace(/\.ts$/, '.js'));
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
    writeFile(output, `${withOwnWorkspaces(code, dirname(output))}//# sourceMappingURL=${basename(mapFile)}\n`),
    writeFile(mapFile, map!),
  ]);
}

/** Changes imports of a workspace to imports of its copy. */
const withOwnWorkspaces = (code: string, from: string): string =>
  code.replaceAll(/(['"])@gatehouse\/([\w-]+)\1/g, (whole: string, quote: string, name: string) => {
    if (!workspaces.includes(name)) return whole;
    const path = relative(from, join(folder, name, 'index.js'))
      .split(sep)
      .join('/');
    return `${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
  });

async function compileAll(root: string, outRoot: string): Promise<void> {
  const files = await readdir(root, { recursive: true });
  const compiled = files.filter((file) => /\.(ts|json)$/.test(file) && !NOT_COMPILED.test(file) && !isDto(file));
  await Promise.all(compiled.map((file) => compile(file, root, outRoot)));
}

await Promise.all([
  compileAll(sourceRoot, folder),
  ...workspaces.map((name) => compileAll(join(WORKSPACES, name, 'src'), join(folder, name))),
]);
