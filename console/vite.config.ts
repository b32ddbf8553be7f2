import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const COMPRESSIBLE = /\.(html|js|css|svg)$/;
/**
 * Modules that are imported by at least this number of chunks are put into one file, because a small file costs more in
 * headers than it saves.
 */
const MIN_SHARING_CHUNKS = 3;
/** Before compression. A test limits the size of the first load. */
const MAX_CHUNK_KB = 600;
const compress = promisify(brotliCompress);

/** Writes `<file>.br` next to each text file, so that the service compresses nothing at run time. */
function brotli(): Plugin {
  return {
    name: 'gatehouse-brotli',
    apply: 'build',
    async writeBundle({ dir }) {
      const entries = await readdir(dir!, { recursive: true });
      const files = entries.filter((name) => COMPRESSIBLE.test(name)).map((name) => join(dir!, name));
      await Promise.all(files.map(writeCompressed));
    },
  };
}

async function writeCompressed(file: string): Promise<void> {
  const bytes = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(`${file}.br`, await compress(bytes, { params }));
}

/**
 * Adds links to the page by which the browser loads the application at once. Without them, the application would be
 * loaded only after its language, because the first script loads the language before it imports the application.
 */
const preloadOfApp: Plugin = {
  name: 'gatehouse-preload-of-app',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) =>
      Object.values(bundle)
        .flatMap((file) => (file.type === 'chunk' && file.name === 'app' ? [file.fileName, ...file.imports] : []))
        .filter((file) => !html.includes(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/console/${file}` },
          injectTo: 'head' as const,
        })),
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    // The Content-Security-Policy of the service allows images from data URLs, but no scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: MAX_CHUNK_KB,
    rolldownOptions: {
      // One file for the shared modules, instead of about sixty, which a first load would request one after another.
      output: {
        codeSplitting: {
          groups: [
            // A separate file that is loaded first: all other modules translate their tables of texts when they are
            // loaded.
            { name: 'translate', test: /text\/translate\.ts$|vite\/preload-helper/, priority: 1 },
            { name: 'shared', minShareCount: MIN_SHARING_CHUNKS },
          ],
        },
      },
      checks: { bundlerTimings: false },
      // Mantine's files have the directive 'use client' for frameworks with server components. It has no effect here.
      onLog: (level, log, next) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') next(level, log);
      },
    },
  },
  plugins: [preloadOfApp, brotli()],
  // `npx vite console` serves the sources, and forwards API requests to a service on port 3000.
  server: {
    proxy: Object.fromEntries(
      ['/console/api', '/console/session'].map((path) => [path, { target: 'http://127.0.0.1:3000' }]),
    ),
  },
});
