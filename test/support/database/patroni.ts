import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, chown, mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { freePort } from '../services/free-port.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';
import {
  etcdFlags,
  haproxyConfig,
  memberConfig,
  PASSWORD,
  pidsOf,
  POSTGRES,
  signal,
  walSendersOf,
  type PatroniMember,
} from './patroni-member.js';
import { queryOnce } from './query-once.js';

const PATRONI = '/usr/bin/patroni';
const ETCD = '/usr/bin/etcd';
const HAPROXY = '/usr/sbin/haproxy';
const DATABASE = 'gatehouse';
const WITHIN_MS = 120_000;
const QUERY_TIMEOUT_MS = 2_000;

/** Whether Debian's packages are installed. If not, logs once that tests are skipped. */
export function patroniIsInstalled(): boolean {
  const missing = [PATRONI, ETCD, HAPROXY, `${POSTGRES}/postgres`].filter((program) => !existsSync(program));
  if (missing.length > 0)
    process.stderr.write(`${missing.join(', ')} not installed: the tests with Patroni are skipped\n`);
  return missing.length === 0;
}

/** Three PostgreSQL servers that Patroni fails over, with etcd and HAProxy, as processes on loopback. */
export class PatroniStage {
  readonly #children: ChildProcess[] = [];
  #proxyPort = 0;

  private constructor(
    private readonly folder: TemporaryFolder,
    private readonly identity: { readonly uid: number; readonly gid: number } | undefined,
    private readonly members: PatroniMember[],
    private readonly etcdPort: number,
    private readonly isSynchronous: boolean,
  ) {}

  /** `isSynchronous`: a commit waits for a standby. */
  static async start({ isSynchronous }: { readonly isSynchronous: boolean }): Promise<PatroniStage> {
    const folder = await temporaryFolder();
    const id = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
    const identity = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : undefined;
    const members: PatroniMember[] = [];
    for (const name of ['one', 'two', 'three']) {
      const path = join(folder.path, name);
      await mkdir(path);
      if (identity) await chown(path, identity.uid, identity.gid);
      await chmod(path, 0o700);
      members.push({ name, port: await freePort(), restPort: await freePort(), folder: path, patroni: undefined! });
    }
    const stage = new PatroniStage(folder, identity, members, await freePort(), isSynchronous);
    await stage.#startEtcd();
    for (const member of members) {
      await stage.#configure(member);
      await stage.#startPatroni(member);
      // The first member initialises the cluster.
      if (member === members[0]) await stage.#until(async () => (await stage.leader()) !== undefined);
    }
    await stage.#startHaproxy();
    const primary = await stage.untilHealthy();
    await queryOnce(maintenanceUrl(primary), `create database ${DATABASE} template template0 encoding 'UTF8'`);
    return stage;
  }

  /** The URL that lists all servers. */
  get url(): string {
    return this.#url(this.members.map(({ port }) => `127.0.0.1:${port}`).join(','));
  }

  /** The URL of HAProxy, which forwards to the primary. */
  get proxyUrl(): string {
    return this.#url(`127.0.0.1:${this.#proxyPort}`);
  }

  async leaderUrl(): Promise<string> {
    const leader = await this.leader();
    if (!leader) throw new Error('there is no leader');
    return this.#url(`127.0.0.1:${leader.port}`);
  }

  /** The member that its Patroni reports as the primary. */
  async leader(): Promise<PatroniMember | undefined> {
    for (const member of this.members) if ((await this.#status(member, 'primary')) === 200) return member;
    return undefined;
  }

  /** Kills Patroni and PostgreSQL of the member. Returns a function that starts them again. */
  async kill(member: PatroniMember): Promise<() => Promise<void>> {
    const pids = await pidsOf(member);
    for (const name of ['SIGSTOP', 'SIGKILL'] as const) pids.forEach((pid) => signal(pid, name));
    return () => this.#startPatroni(member);
  }

  /** Freezes the processes that send the log to the standbys, so that the standbys miss all later commits. */
  async holdReplication(primary: PatroniMember): Promise<void> {
    for (const pid of await walSendersOf(primary)) signal(pid, 'SIGSTOP');
  }

  /** Freezes Patroni and PostgreSQL of the member. Returns a function that thaws them. */
  async freeze(member: PatroniMember): Promise<() => Promise<void>> {
    const pids = await pidsOf(member);
    pids.forEach((pid) => signal(pid, 'SIGSTOP'));
    return () => {
      // Patroni is first in the list, because it must demote PostgreSQL before PostgreSQL serves requests again.
      pids.forEach((pid) => signal(pid, 'SIGCONT'));
      return Promise.resolve();
    };
  }

  /** Makes a standby the primary by a planned switchover. */
  async switchover(member: PatroniMember): Promise<() => Promise<void>> {
    // Patroni refuses the request while no standby can take over.
    await this.#until(async () => {
      const response = await fetch(`http://127.0.0.1:${member.restPort}/switchover`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ leader: member.name }),
      });
      await response.arrayBuffer();
      return response.ok;
    });
    return () => Promise.resolve();
  }

  /**
   * Waits until there is one primary and two standbys stream from it. With synchronous replication, one of them must be
   * registered in etcd as synchronous too, because Patroni promotes only that standby. Returns the primary.
   */
  async untilHealthy(): Promise<PatroniMember> {
    let primary: PatroniMember | undefined;
    await this.#until(async () => {
      if (this.isSynchronous) {
        const states = await Promise.all(this.members.map((member) => this.#status(member, 'synchronous')));
        if (!states.includes(200)) return false;
      }
      primary = await this.leader();
      if (!primary) return false;
      const rows = await queryOnce<{ state: string }>(
        maintenanceUrl(primary),
        'select state from pg_stat_replication',
        QUERY_TIMEOUT_MS,
      );
      return rows.filter(({ state }) => state === 'streaming').length === 2;
    });
    return primary!;
  }

  async stop(): Promise<void> {
    for (const member of this.members)
      for (const pid of await pidsOf(member)) {
        signal(pid, 'SIGCONT');
        signal(pid, 'SIGKILL');
      }
    for (const child of this.#children) child.kill('SIGKILL');
    await this.folder.remove();
  }

  #url(hosts: string): string {
    return `postgres://postgres:${PASSWORD}@${hosts}/${DATABASE}`;
  }

  #status({ restPort }: PatroniMember, path: string): Promise<number> {
    return fetch(`http://127.0.0.1:${restPort}/${path}`, { signal: AbortSignal.timeout(1_000) })
      .then(async (response) => (await response.arrayBuffer(), response.status))
      .catch(() => 0);
  }

  async #until(isSo: () => Promise<boolean>): Promise<void> {
    await eventually(async () => expect(await isSo()).toBe(true), WITHIN_MS).catch(async (error: unknown) => {
      throw new Error(`the cluster is not ready:\n${await this.#logs()}`, { cause: error });
    });
  }

  async #logs(): Promise<string> {
    const texts = await Promise.all(
      this.members.map(({ folder }) => readFile(join(folder, 'patroni.log'), 'utf8').catch(() => '')),
    );
    return texts.map((text) => text.slice(-2_000)).join('\n---\n');
  }

  async #startEtcd(): Promise<void> {
    const peer = await freePort();
    const at = `http://127.0.0.1:${this.etcdPort}`;
    const args = etcdFlags(join(this.folder.path, 'etcd'), at, `http://127.0.0.1:${peer}`);
    this.#children.push(spawn(ETCD, [...args, '--unsafe-no-fsync'], { stdio: 'ignore' }));
    await this.#until(async () => (await fetch(`${at}/health`)).ok);
  }

  async #configure(member: PatroniMember): Promise<void> {
    // JSON is valid YAML.
    const text = JSON.stringify(memberConfig(member, this.etcdPort, this.isSynchronous));
    await writeFile(join(member.folder, 'patroni.yml'), text);
    await appendFile(join(member.folder, 'patroni.log'), '');
    for (const file of ['patroni.yml', 'patroni.log'])
      if (this.identity) await chown(join(member.folder, file), this.identity.uid, this.identity.gid);
  }

  async #startPatroni(member: PatroniMember): Promise<void> {
    const log = await open(join(member.folder, 'patroni.log'), 'a');
    member.patroni = spawn(PATRONI, [join(member.folder, 'patroni.yml')], {
      ...this.identity,
      cwd: member.folder,
      env: { PATH: '/usr/bin:/bin', LANG: 'C', LC_ALL: 'C' },
      stdio: ['ignore', log.fd, log.fd],
    });
    await log.close();
  }

  async #startHaproxy(): Promise<void> {
    this.#proxyPort = await freePort();
    const file = join(this.folder.path, 'haproxy.cfg');
    await writeFile(file, haproxyConfig(this.#proxyPort, this.members));
    this.#children.push(spawn(HAPROXY, ['-db', '-q', '-f', file], { stdio: 'ignore' }));
  }
}

const maintenanceUrl = ({ port }: PatroniMember): string =>
  `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
