// `npm run sbom`: writes a software bill of materials (CycloneDX) of what the service ships: the packages of the lock
// file except development-only ones, the packages that are bundled into the console, and our own workspaces. `npm sbom
// --omit=dev` omits packages that a workspace shares with the root, so this script filters by itself.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const MAX_BYTES = 64 * 1024 * 1024;

interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

interface Bom {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const isDevelopment = ({ properties = [] }: Component): boolean =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

const read = (path: string): { name: string; version: string; workspaces?: string[]; dependencies?: object } =>
  JSON.parse(readFileSync(path, 'utf8')) as ReturnType<typeof read>;

/** Our own packages, which are links in the lock file. npm omits them. */
const workspaces = (): Component[] =>
  globSync((read('package.json').workspaces ?? []).map((folder) => `${folder}/package.json`)).map((path) => {
    const { name, version } = read(path);
    return { 'bom-ref': `${name}@${version}`, type: 'library', name, version };
  });

/**
 * The packages that the console imports. npm counts them as development packages, but the build contains their code.
 */
function consolePackages(): Set<string> {
  const names = globSync('console/src/**/*.{ts,tsx,css}').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/(?:from|import) '((?:@[\w.-]+\/)?[a-z][\w.-]*)/g)].map(
      ([, name]) => name!,
    ),
  );
  return new Set(names);
}

const file = process.argv[2] ?? 'sbom/gatehouse.cdx.json';
const words = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
const bom = JSON.parse(execFileSync('npm', words, { encoding: 'utf8', maxBuffer: MAX_BYTES })) as Bom;
const bundled = consolePackages();
const development = new Set(bom.components.filter(isDevelopment).map((component) => component['bom-ref']));
const graph = new Map(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
const shipped = bom.components.filter(({ name }) => bundled.has(name)).map((component) => component['bom-ref']);
// The dependencies of bundled packages are bundled too.
for (const ref of shipped) if (development.delete(ref)) shipped.push(...(graph.get(ref) ?? []));
const components = [...bom.components, ...workspaces()].filter(({ 'bom-ref': ref }) => !development.has(ref));
const dependencies = bom.dependencies
  .filter(({ ref }) => !development.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => !development.has(other)) }));
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify({ ...bom, components, dependencies }, null, 2)}\n`);
console.log(`${file}: ${components.length} packages`);
