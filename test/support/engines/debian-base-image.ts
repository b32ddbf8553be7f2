import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type Docker from 'dockerode';

const run = promisify(execFile);
const MIRROR = 'http://deb.debian.org/debian';
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';

/** The reason why no base image can be built on this machine, as a sentence; undefined = it can be built. */
export function debianMissing(): string | undefined {
  return tool('debootstrap') === undefined
    ? 'debootstrap is not installed (Debian: apt-get install debootstrap)'
    : undefined;
}

/**
 * Builds a base image like the official ones: Debian from debootstrap, the Node version of this run, and this machine's
 * npm. The image trusts this machine's certificate authorities, so that npm can use a registry behind a proxy.
 */
export async function makeDebianBaseImage(docker: Docker, folder: string, name: string): Promise<void> {
  const root = join(folder, 'base-root');
  const { suite, mirror } = debianOfThisMachine();
  // `--foreign` unpacks the packages without configuring them, which would take half of the time. Configuration would
  // create the files of users, too.
  await run(tool('debootstrap')!, ['--foreign', '--variant=minbase', suite, root, mirror], {
    env: { ...process.env, PATH: [process.env['PATH'], '/usr/sbin', '/sbin'].join(delimiter) },
    maxBuffer: 64 * 1_048_576,
  });
  for (const name of ['passwd', 'group'])
    cpSync(join(root, `usr/share/base-passwd/${name}.master`), join(root, 'etc', name));
  cpSync(realpathSync(process.execPath), join(root, 'usr/local/bin/node'));
  const npm = dirname(dirname(realpathSync(tool('npm')!)));
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  if (existsSync(AUTHORITIES)) {
    mkdirSync(dirname(join(root, AUTHORITIES)), { recursive: true });
    cpSync(realpathSync(AUTHORITIES), join(root, AUTHORITIES));
    mkdirSync(join(root, 'usr/local/etc'), { recursive: true });
    writeFileSync(join(root, 'usr/local/etc/npmrc'), `cafile=${AUTHORITIES}\n`);
  }
  const tarball = join(folder, 'base.tar');
  const excluded = ['./debootstrap', './var/cache/apt/archives/*.deb'].map((path) => `--exclude=${path}`);
  await run('tar', ['-C', root, ...excluded, '-cf', tarball, '.']);
  const stream = await docker.importImage(tarball, { repo: name, tag: 'test' });
  await new Promise<void>((resolve, reject) =>
    docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve())),
  );
}

function tool(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/**
 * The release and mirror of this machine's apt. On systems other than Debian: the stable release from the public
 * mirror.
 */
function debianOfThisMachine(): { suite: string; mirror: string } {
  const release = readFileSync('/etc/os-release', 'utf8');
  if (!/^ID=debian$/m.test(release)) return { suite: 'stable', mirror: MIRROR };
  const suite = /^VERSION_CODENAME=(\S+)$/m.exec(release)?.[1] ?? 'stable';
  const lists = '/etc/apt/sources.list.d';
  const files = [
    '/etc/apt/sources.list',
    ...(existsSync(lists) ? readdirSync(lists).map((file) => join(lists, file)) : []),
  ];
  const sources = files
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const mirror = /^(?:deb(?: \[[^\]]*\])?|URIs:) +(\S+\/debian)\/?(?: |$)/m.exec(sources)?.[1];
  return { suite, mirror: mirror ?? MIRROR };
}
