import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MIGRATIONS } from '../../../src/database/migrations/migrations.js';
import { documentedSample } from '../../support/deploy/documented-sample.js';
import { haproxyIsInstalled, startHaproxy } from '../../support/engines/haproxy.js';
import { nginxIsInstalled, startNginx } from '../../support/engines/nginx.js';
import { eventually } from '../../support/eventually.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import type { RollingProxy } from '../../support/rolling/rolling-callers.js';
import { RollingInstallation } from '../../support/rolling/rolling-installation.js';
import type { RollingReplicas } from '../../support/rolling/rolling-replicas.js';
import { checkOut, findVersionBefore } from '../../support/services/version-before.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Replacements behind each proxy. REPLACEMENTS overrides it. */
const REPLACEMENTS = Number(process.env['REPLACEMENTS'] ?? (LONG_TESTS ? 50 : 4));
/** Replacements in each installation, which starts with an upgrade. */
const IN_AN_INSTALLATION = LONG_TESTS ? 10 : 4;

/** Replicas that serve at once. */
const SERVING = 2;
/**
 * Replicas of the previous version at the start. They are compiled when they start, which takes most of the time of a
 * short run.
 */
const OLD = LONG_TESTS ? 2 : 1;

const before = await findVersionBefore(
  MIGRATIONS.map(({ name }) => name),
  ROOT,
);
if ('reason' in before) process.stdout.write(`No upgrade is tested, only replacements: ${before.reason}.\n`);

type StartProxy = (replicas: RollingReplicas, stopsWell: boolean) => Promise<RollingProxy>;

const behindHaproxy: StartProxy = async ({ ports }, stopsWell) => {
  const haproxy = await startHaproxy(await documentedSample('docs/operations/scale.md', 'haproxy'), ports);
  // After its start, HAProxy sends requests to all servers until it has checked them.
  await eventually(async () => {
    const up = await Promise.all(ports.map((_, slot) => haproxy.isUp(slot)));
    expect(up.filter(Boolean)).toHaveLength(OLD);
  }, 30_000);
  return {
    ...haproxy,
    name: 'haproxy',
    without: stopsWell ? undefined : 'messages',
    added: (slot) => eventually(async () => expect(await haproxy.isUp(slot)).toBe(true), 30_000),
  };
};

const behindNginx: StartProxy = async ({ origins }, stopsWell) => {
  const nginx = await startNginx(await documentedSample('docs/operations/running.md', 'nginx'), ...origins);
  // nginx has no checks to wait for: if a server refuses the connection, nginx tries the next server.
  const added = (): Promise<void> => Promise.resolve();
  return { ...nginx, name: 'nginx', without: stopsWell ? undefined : 'requests', added };
};

const PROXIES: StartProxy[] = [
  ...(haproxyIsInstalled() ? [behindHaproxy] : []),
  ...(nginxIsInstalled() ? [behindNginx] : []),
];
const withHaproxy = PROXIES.includes(behindHaproxy) ? it : it.skip;
const withNginx = PROXIES.includes(behindNginx) ? it : it.skip;

describe('replicas that are replaced one after the other, starting with the previous version', () => {
  let folder: TemporaryFolder;
  let source: string | undefined;
  /**
   * False for a version before decision 0099: it refuses messages to its interns while it stops. Behind a proxy that
   * does not read /readyz, it also loses single requests.
   */
  let stopsWell = true;
  let installation: RollingInstallation | undefined;
  beforeAll(async () => {
    folder = await temporaryFolder();
    if ('reason' in before) return;
    source = join(folder.path, 'source');
    await checkOut(before.commit, ROOT, source);
    stopsWell = existsSync(join(source, 'src/interns/hand-over.ts'));
  });
  afterEach(async () => {
    await installation?.close();
    installation = undefined;
  }, 60_000);
  afterAll(() => folder.remove());

  /** Replaces replicas behind the proxies. Returns the failed requests and streams, by the name of the proxy. */
  async function roll(proxies: readonly StartProxy[]): Promise<Map<string, readonly object[]>> {
    const lost = new Map<string, object[]>();
    const sums: Record<string, number> = { replacements: 0 };
    while (sums['replacements']! < REPLACEMENTS && [...lost.values()].flat().length === 0) {
      installation = await RollingInstallation.open();
      const { replicas } = installation;
      await Promise.all(Array.from({ length: OLD }, () => replicas.start(source)));
      const started: RollingProxy[] = [];
      for (const start of proxies) started.push(await start(replicas, stopsWell));
      await installation.load(started);
      for (let n = OLD; n < SERVING; n++) await installation.add();
      for (let n = 0; n < IN_AN_INSTALLATION; n++) await installation.replace();
      sums['replacements']! += IN_AN_INSTALLATION;
      for (const [name, { failures, cut, counts }] of await installation.expectCounted()) {
        lost.set(name, [...failures.map((failure) => ({ failure })), ...cut]);
        for (const [kind, count] of Object.entries(counts))
          sums[`${kind} behind ${name}`] = (sums[`${kind} behind ${name}`] ?? 0) + count;
      }
      await installation.close();
      expect(replicas.warnings).toEqual([]);
      expect(replicas.codes).toEqual(replicas.codes.map(() => 0));
      installation = undefined;
      process.stdout.write(`${JSON.stringify(sums)}\n`);
    }
    return lost;
  }

  /** The run of both tests in a short run, in which the starts of replicas would otherwise take most of the time. */
  let shared: ReturnType<typeof roll> | undefined;
  async function expectNothingLost(name: string, start: StartProxy): Promise<void> {
    try {
      const lost = await (LONG_TESTS ? roll([start]) : (shared ??= roll(PROXIES)));
      expect(lost.get(name)).toEqual([]);
    } catch (error) {
      // A retry must not get the same result.
      shared = undefined;
      throw error;
    }
  }

  withHaproxy(
    `lose no request, no stream, no file and no message behind HAProxy, in ${REPLACEMENTS} replacements`,
    () => expectNothingLost('haproxy', behindHaproxy),
    REPLACEMENTS * 60_000,
  );

  withNginx(
    `lose no request, no stream, no file and no message behind nginx, in ${REPLACEMENTS} replacements`,
    () => expectNothingLost('nginx', behindNginx),
    REPLACEMENTS * 60_000,
  );
});
