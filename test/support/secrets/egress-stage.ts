import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Network } from '../../../src/egress/network.js';
import { startInternsStage, type InternsStage, type Member } from '../interns/interns-stage.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';
import { openTlsWorld, type TlsWorld } from '../engines/tls-world.js';

export const VALUE = `sk-${randomBytes(16).toString('hex')}`;
export const OTHER_VALUE = `sk-${randomBytes(16).toString('hex')}`;
export const BOUND = [
  'api.bound.test',
  'xn--bcher-kva.bound.test',
  'untrusted.bound.test',
  'wrong-name.bound.test',
  'private.bound.test',
];
/** Hosts that may resolve to this machine: all hosts of the simulated internet except private.*. */
export const REACHABLE = [
  ...BOUND.filter((host) => !host.startsWith('private')),
  'elsewhere.test',
  'sub.api.bound.test',
  'bound.test',
  'api.bound.test.elsewhere.test',
  'evil-api.bound.test',
  'api.bound.tests',
  'other.bound.test',
];

/** The hosts that an intern may reach in tests of other rules, including addresses. */
export const EVERYWHERE = [
  ...REACHABLE,
  ...BOUND,
  'private.test',
  '127.0.0.1',
  '::1',
  '::ffff:127.0.0.1',
  '169.254.169.254',
];

export interface EgressStage {
  readonly world: TlsWorld;
  readonly folder: TemporaryFolder;
  readonly stage: InternsStage;
  readonly me: Member;
  readonly internId: string;
}

/** A simulated internet, and an intern with a secret for `BOUND` and another secret for its own host. */
export async function openEgressStage(): Promise<EgressStage> {
  const [world, folder] = await Promise.all([openTlsWorld(), temporaryFolder()]);
  const authorities = join(folder.path, 'authorities.pem');
  await writeFile(authorities, world.authority);
  const stage = await startInternsStage({
    env: { INTERN_RUNTIME: 'none', EGRESS_PRIVATE_HOSTS: REACHABLE.join(','), EGRESS_CA_FILE: authorities },
  });
  const network = stage.app.get(Network, { strict: false });
  Object.assign(network, {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    portFor: (host: string, port: number) =>
      port === 80 ? world.plain : host.startsWith('untrusted') ? world.untrusted : world.trusted,
  });
  const me = await stage.member();
  const internId: string = (await me.api.post('/interns', { json: { name: 'ab' } })).json.id;
  await me.api.put(`/vault/interns/${internId}/secrets/api_token`, { json: { value: VALUE, hosts: BOUND } });
  await me.api.put(`/vault/interns/${internId}/secrets/other_token`, {
    json: { value: OTHER_VALUE, hosts: ['other.bound.test'] },
  });
  return { world, folder, stage, me, internId };
}
