import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

interface Bom {
  readonly bomFormat: string;
  readonly components: readonly { readonly 'bom-ref': string; readonly name: string; readonly version: string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

describe('the software bill of materials', () => {
  let folder: TemporaryFolder;
  let bom: Bom;
  beforeAll(async () => {
    folder = await temporaryFolder();
    const file = join(folder.path, 'sbom.json');
    execFileSync('npm', ['run', '-s', 'sbom', '--', file], { stdio: 'ignore' });
    bom = JSON.parse(await readFile(file, 'utf8')) as Bom;
  }, 60_000);
  afterAll(() => folder.remove());

  it('names each production dependency, and our own packages, with the installed version', async () => {
    const { dependencies } = JSON.parse(await readFile('package.json', 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const versions = new Map(bom.components.map(({ name, version }) => [name, version]));
    const names = Object.keys(dependencies);
    expect(bom.bomFormat).toBe('CycloneDX');
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => !versions.has(name))).toEqual([]);
    const exact = names.filter((name) => /^\d/.test(dependencies[name]!));
    expect(
      exact.filter((name) => !bom.components.some((part) => part.name === name && part.version === dependencies[name])),
    ).toEqual([]);
  });

  it('names what is bundled into the console, and no package that only development needs', () => {
    const names = new Set(bom.components.map(({ name }) => name));
    const bundled = ['react', 'react-dom', 'scheduler', '@mantine/core', '@tanstack/react-query', 'uplot'];
    expect(bundled.filter((name) => !names.has(name))).toEqual([]);
    expect(['jest', 'vite', '@nestjs/cli', '@swc/core'].filter((name) => names.has(name))).toEqual([]);
  });

  it('has no dependency on a component that it does not name', () => {
    const known = new Set(bom.components.map((component) => component['bom-ref']));
    const missing = bom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !known.has(ref));
    expect(missing).toEqual([]);
  });
});
