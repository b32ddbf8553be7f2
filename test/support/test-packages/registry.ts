import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A package registry on loopback that npm installs from. */
export interface Registry {
  readonly url: string;
  /** The paths that npm requested. */
  readonly requests: string[];
  /** Publishes a package of one module with the version as its default export. Returns its entry for a lock file. */
  publish(name: string, version: string): Promise<{ readonly version: string; readonly integrity: string }>;
  close(): Promise<void>;
}

/** `folder`: contains the packages. */
export async function startRegistry(folder: string): Promise<Registry> {
  const requests: string[] = [];
  const answers = new Map<string, Buffer | object>();
  const server = createServer((request, response) => {
    requests.push(request.url!);
    const found = answers.get(request.url!);
    response.statusCode = found ? 200 : 404;
    response.end(found && (Buffer.isBuffer(found) ? found : JSON.stringify(found)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    requests,
    async publish(name, version) {
      const source = join(folder, `${name}-${version}`);
      await mkdir(source);
      const manifest = { name, version, type: 'module', exports: './main.js' };
      await writeFile(join(source, 'package.json'), JSON.stringify(manifest));
      await writeFile(join(source, 'main.js'), `export default '${version}';\n`);
      await run('npm', ['pack', '--pack-destination', folder, '--loglevel=error'], { cwd: source });
      const tarball = await readFile(join(folder, `${name}-${version}.tgz`));
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      const path = `/${name}/-/${name}-${version}.tgz`;
      answers.set(path, tarball);
      const published = (answers.get(`/${name}`) as { versions: object } | undefined)?.versions;
      const dist = { tarball: new URL(path, url).href, integrity };
      answers.set(`/${name}`, { name, versions: { ...published, [version]: { ...manifest, dist } } });
      return { version, integrity };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
