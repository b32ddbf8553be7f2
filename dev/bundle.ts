// `node dev/bundle.ts <folder>`: joins, into few files, the modules that the service loads when it starts. Node takes
// longer to find and link the 3,900 modules than to run them. Worker threads and other processes still use the compiled
// files.
import { readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { JOINED } from './joined-packages.ts';

/** The files that are replaced by bundles. The bundle of a file contains all of its static and dynamic imports. */
const ENTRIES = ['start', 'serve', 'worker'];
/** The name of the bundle of the joined packages. */
const PACKAGES = 'packages';

/** Replaces `import.meta` by the URL and path of the compiled file. In a bundle it would refer to the bundle. */
function withOwnUrl(code: string, root: string, file: string): string {
  if (!code.includes('import.meta')) return code;
  const own = `new URL(${JSON.stringify(`./${relative(root, file).split(sep).join('/')}`)}, import.meta.url)`;
  const path = `process.getBuiltinModule('node:url').fileURLToPath(${own})`;
  return code
    .replaceAll(/\bimport\.meta\.url\b/g, `${own}.href`)
    .replaceAll(/\bimport\.meta\.filename\b/g, path)
    .replaceAll(/\bimport\.meta\.dirname\b/g, `process.getBuiltinModule('node:path').dirname(${path})`);
}

async function bundle(root: string): Promise<void> {
  const build = await rolldown({
    input: Object.fromEntries(ENTRIES.map((name) => [name, join(root, `${name}.js`)])),
    platform: 'node',
    treeshake: false,
    logLevel: 'warn',
    external: (id) => !/^[./\\]/.test(id) && !JOINED.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [
      {
        name: 'compiled-files',
        load(file) {
          if (!file.startsWith(root + sep) || !file.endsWith('.js')) return null;
          const code = withOwnUrl(readFileSync(file, 'utf8'), root, file);
          return { code, map: readFileSync(`${file}.map`, 'utf8') };
        },
      },
    ],
  });
  const { output } = await build.write({
    dir: root,
    entryFileNames: '[name].js',
    chunkFileNames: 'bundle-[name]-[hash].js',
    format: 'esm',
    keepNames: true,
    // The default also removes dead code, including calls whose only effect is that they throw.
    minify: false,
    sourcemap: true,
    sourcemapExcludeSources: true,
    codeSplitting: { groups: [{ name: PACKAGES, test: /[\\/]node_modules[\\/]/ }] },
  });
  await build.close();
  // The sources of packages are not available, so their source maps are useless.
  for (const { fileName } of output)
    if (fileName.startsWith(`bundle-${PACKAGES}-`) && fileName.endsWith('.map')) rmSync(join(root, fileName));
}

const [folder] = process.argv.slice(2) as [string];
await bundle(resolve(folder));
