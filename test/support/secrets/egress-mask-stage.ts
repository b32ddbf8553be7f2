import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Network } from '../../../src/egress/network.js';
import { attempt, type Attempt, type Outcome, type Pass } from './egress-client.js';
import { passOf } from './egress-pass.js';
import { startInternsStage, type InternsStage, type Member } from '../interns/interns-stage.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';
import { openTlsWorld, type TlsWorld } from '../engines/tls-world.js';

export const HOST = 'api.bound.test';
export const OTHER_HOST = 'other.bound.test';
const LATE_HOST = 'late.test';
export const TOKEN = `sk-${randomBytes(16).toString('hex')}`;
export const STARS = '*'.repeat(TOKEN.length);

export const chunk = (bytes: Buffer | string): Buffer =>
  Buffer.concat([Buffer.from(`${Buffer.byteLength(bytes).toString(16)}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')]);
export const head = (...lines: readonly string[]): string =>
  ['HTTP/1.1 200 OK', 'Connection: close', ...lines, '', ''].join('\r\n');
/** A response in three chunks, split within its content. */
export function response(body: Buffer): Buffer[] {
  const [a, b] = [Math.floor(body.length / 2), Math.floor(body.length / 2) + 3];
  return [
    Buffer.from(head('Transfer-Encoding: chunked')),
    chunk(body.subarray(0, a)),
    chunk(body.subarray(a, b)),
    chunk(body.subarray(b)),
    Buffer.from('0\r\n\r\n'),
  ];
}

/** The body of a chunked response, joined. */
export function bodyOf(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = bytes.indexOf('\r\n\r\n') + 4; at < bytes.length;) {
    const end = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (!(length > 0)) break;
    parts.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
  return Buffer.concat(parts);
}

export const get = (more = '', path = '/'): string =>
  `GET ${path} HTTP/1.1\r\nHost: $HOST\r\n${more}Connection: close\r\n\r\n`;

/** A service with one intern, whose secret is TOKEN, and a host with scripted responses. */
export class MaskStage {
  private constructor(
    readonly world: TlsWorld,
    private readonly folder: TemporaryFolder,
    readonly stage: InternsStage,
    readonly me: Member,
  ) {}

  /** The pass of the intern that has TOKEN. */
  pass!: Pass;

  static async start(): Promise<MaskStage> {
    const [world, folder] = await Promise.all([openTlsWorld(), temporaryFolder()]);
    const authorities = join(folder.path, 'authorities.pem');
    await writeFile(authorities, world.authority);
    const env = {
      INTERN_RUNTIME: 'none',
      INTERN_LIMIT_PER_MEMBER: '100',
      EGRESS_PRIVATE_HOSTS: `${HOST},${OTHER_HOST},${LATE_HOST}`,
      EGRESS_CA_FILE: authorities,
    };
    const stage = await startInternsStage({ env });
    Object.assign(stage.app.get(Network, { strict: false }), {
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      portFor: (_: string, port: number) => (port === 80 ? world.plain : world.trusted),
    });
    const started = new MaskStage(world, folder, stage, await stage.member());
    const internId = await started.anIntern('ab');
    await started.put(internId, 'api_token', TOKEN);
    started.pass = await started.aPass(internId);
    return started;
  }

  async stop(): Promise<void> {
    await this.stage.stop();
    await this.world.close();
    await this.folder.remove();
  }

  /** Resets the stage between two tests. */
  reset(): void {
    this.world.scripted = undefined;
    this.world.arrivals.length = 0;
  }

  async anIntern(name: string, fields: object = {}): Promise<string> {
    return (await this.me.api.post('/interns', { json: { name, ...fields } })).json.id;
  }

  aPass(of: string): Promise<Pass> {
    return passOf(this.stage.app, of, [HOST, OTHER_HOST, LATE_HOST]);
  }

  async put(of: string | null, name: string, value: string, hosts: readonly string[] = [HOST]): Promise<void> {
    const path = of === null ? `/vault/secrets/${name}` : `/vault/interns/${of}/secrets/${name}`;
    const { status } = await this.me.api.put(path, { json: { value, hosts } });
    if (status !== 200) throw new Error(`the secret ${name} was not stored: ${status}`);
  }

  /** A request without a secret, to which the host responds with these packets. */
  async ask(scripted: TlsWorld['scripted'], how: Partial<Attempt> = {}, by = this.pass): Promise<Outcome> {
    this.world.scripted = scripted;
    // Scripted hosts close the connection, so silence only means that the machine is busy.
    return attempt(by, { connect: `${HOST}:443`, request: get(), quietMs: 5_000, ...how }, [this.world.authority]);
  }

  /** The number of releases of a secret. */
  async uses(): Promise<number> {
    return (
      await this.stage.sql.query(`select 1 from audit_entry where action = 'use' and resource_kind = 'vault_secret'`)
    ).length;
  }
}
