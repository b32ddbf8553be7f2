// Lets Node run TypeScript with decorators: `node --import ./dev/typescript-loader.ts src/main.ts`. The tests start
// about a hundred processes. Without a separate thread for hooks, and with a cache of compiled files, a start of the
// service takes 2 s of CPU instead of 5 s with @swc-node/register.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Options } from '@swc/core';

const require = createRequire(import.meta.url);
const JEST_GLOBALS = new URL('../test/support/jest/globals.mjs', import.meta.url).href;
const KEPT = fileURLToPath(new URL('../node_modules/.cache/gatehouse-typescript/', import.meta.url));
const OPTIONS = JSON.parse(readFileSync(new URL('../.swcrc', import.meta.url), 'utf8')) as Options;
const { devDependencies } = require('../package.json') as { devDependencies: { '@swc/core': string } };
const VERSION = JSON.stringify([OPTIONS, devDependencies['@swc/core']]);

mkdirSync(KEPT, { recursive: true });
process.setSourceMapsEnabled(true);
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === '@jest/globals') return { url: JEST_GLOBALS, format: 'module', shortCircuit: true };
    if (specifier.startsWith('.') && context.parentURL && isOurs(context.parentURL)) {
      // Files of the console import each other without an extension.
      const { href } = new URL(`${specifier.replace(/\.js$/, '')}.ts`, context.parentURL);
      if (existsSync(fileURLToPath(href))) return { url: href, format: 'module', shortCircuit: true };
    }
    return nextResolve(specifier, context);
  },
  load(url, context, nextLoad) {
    if (!isOurs(url)) return nextLoad(url, context);
    return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true };
  },
});

function isOurs(url: string): boolean {
  return url.endsWith('.ts') && !url.includes('/node_modules/');
}

function compiled(filename: string): string {
  const text = readFileSync(filename, 'utf8');
  const kept = KEPT + createHash('sha1').update(VERSION).update(filename).update(text).digest('hex');
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const { transformSync } = require('@swc/core') as typeof import('@swc/core');
  const { code } = transformSync(text, { ...OPTIONS, swcrc: false, filename, sourceMaps: 'inline' });
  // Several processes may compile the same file at once.
  writeFileSync(`${kept}.${process.pid}`, code);
  renameSync(`${kept}.${process.pid}`, kept);
  return code;
}
