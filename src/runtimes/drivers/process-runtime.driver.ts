import { spawn, type ChildProcess } from 'node:child_process';
import { hash } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { giveTree } from '../../machine/give-tree.js';
import { ownUserIdRange, type UserIdentity, type UserIdRange } from '../../machine/user-id-range.js';
import { AgentConversation } from '../agent-conversation.js';
import {
  RuntimeDriver,
  SupersededRuntime,
  type EgressWay,
  type Runtime,
  type RuntimeBoot,
  type RuntimePlace,
} from '../runtime.driver.js';
import { agentArguments, agentFolder, environmentOf, proxyUrl } from './agent-program.js';
import { killGroup, killUser, markOf, worksIn, type ProcessMark } from './process-table.js';

const READY_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 3_000;

interface RunRecord extends ProcessMark {
  readonly fence: number;
}

/**
 * Runs each intern as a supervised child process on this machine, with its own folder, its own user id if the service
 * runs as root, and the proxy in its environment. This is not an isolation boundary: the process has this machine's
 * network and can read everything that its user can read.
 */
export class ProcessRuntimeDriver extends RuntimeDriver {
  readonly runs = true;
  readonly #folder: string;
  /** The newest operation of each intern, by the intern's id. The next operation waits for it. */
  readonly #operations = new Map<string, Promise<unknown>>();
  #userIds: Promise<UserIdRange> | undefined;

  constructor(private readonly dataDir: string) {
    super();
    this.#folder = join(dataDir, 'interns');
  }

  async prepare(place: RuntimePlace): Promise<void> {
    const home = this.#homeOf(place);
    // Other users may enter these folders, so that the intern's user can reach its home folder.
    for (const folder of [this.#folder, this.#folderOf(place)]) {
      await mkdir(folder, { recursive: true });
      await chmod(folder, 0o711);
    }
    await this.#allowTraversal();
    await mkdir(home, { recursive: true });
    await chmod(home, 0o700);
    const user = await this.#userOf(place);
    // Necessary after a data folder was moved or copied, because its interns had other user ids before.
    if (user !== undefined && (await stat(home)).uid !== user.uid) await giveTree(home, user);
  }

  start(boot: RuntimeBoot): Promise<Runtime> {
    return this.#serialise(boot.place, async () => {
      await this.#end(boot.place, boot.fence);
      const child = await this.#spawn(boot);
      try {
        const record: RunRecord = { ...markOf(child.pid!), fence: boot.fence };
        await this.#record(boot.place, record);
        return await this.#converse(child, boot, record);
      } catch (error) {
        child.kill('SIGKILL');
        throw error;
      }
    });
  }

  stop(place: RuntimePlace, fence: number): Promise<void> {
    return this.#serialise(place, () => this.#end(place, fence));
  }

  remove(place: RuntimePlace): Promise<void> {
    return this.#serialise(place, () => rm(this.#folderOf(place), { recursive: true, force: true }));
  }

  /**
   * If the service runs as root, lets other users enter the data folder but not list it. Its contents have their own
   * modes.
   */
  async #allowTraversal(): Promise<void> {
    if (process.getuid?.() !== 0) return;
    const { mode } = await stat(this.dataDir);
    if ((mode & 0o001) === 0) await chmod(this.dataDir, (mode & 0o7777) | 0o001);
  }

  async #end(place: RuntimePlace, fence: number): Promise<void> {
    const record = await this.#recorded(place);
    if (record && record.fence > fence)
      throw new SupersededRuntime(`a runtime was started under fence ${record.fence}`);
    // In a copied data folder, the record names a process of the original installation.
    if (record && worksIn(record.pid, this.#homeOf(place))) await killGroup(record);
    const user = await this.#userOf(place);
    if (user !== undefined && process.platform === 'linux') await killUser(user);
  }

  async #spawn(boot: RuntimeBoot): Promise<ChildProcess> {
    const { place, egress } = boot;
    const user = await this.#userOf(place);
    const trust = {
      own: join(this.#folderOf(place), 'authority.pem'),
      all: join(this.#folderOf(place), 'authorities.pem'),
    };
    await writeFile(trust.own, egress?.authorities ?? '', { mode: 0o644 });
    await writeFile(trust.all, [...rootCertificates, egress?.authorities ?? ''].join('\n'), { mode: 0o644 });
    const log = await open(join(this.#folderOf(place), 'agent.log'), 'w', 0o600);
    try {
      const home = this.#homeOf(place);
      const child = spawn(process.execPath, agentArguments(agentFolder), {
        cwd: home,
        env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...environmentOf(home, proxyOf(egress), trust) },
        ...user,
        stdio: ['pipe', 'pipe', log.fd],
        // In a separate process group, because Ctrl-C on a terminal is for the service, which then stops the intern.
        detached: true,
      });
      await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
      return child;
    } finally {
      await log.close();
    }
  }

  async #converse(child: ChildProcess, boot: RuntimeBoot, mark: ProcessMark): Promise<Runtime> {
    const conversation = new AgentConversation(child.stdin!, child.stdout!);
    const ended = new Promise<string>((resolve) => {
      child.once('exit', (code, signal) =>
        resolve(conversation.fault ?? (signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`)),
      );
    });
    const agentPlace = {
      lock: lockOf(boot.place),
      bridge: null,
      proxy: proxyOf(boot.egress),
      // A program of the intern would not be confined to its disk and the proxy.
      runsCommands: false,
    };
    const members = await conversation.boot(boot, agentPlace, ended, READY_TIMEOUT_MS);
    return {
      ended,
      ...members,
      stop: async () => {
        conversation.stop();
        const slow = setTimeout(() => void killGroup(mark).catch(() => undefined), STOP_TIMEOUT_MS);
        await ended;
        clearTimeout(slow);
        await this.stop(boot.place, boot.fence).catch(() => undefined);
      },
    };
  }

  /** Runs one operation at a time for each intern, because a start ends the previous runtime. */
  async #serialise<T>({ internId }: RuntimePlace, work: () => Promise<T>): Promise<T> {
    const operation = (this.#operations.get(internId) ?? Promise.resolve()).then(work, work);
    this.#operations.set(internId, operation);
    try {
      return await operation;
    } finally {
      if (this.#operations.get(internId) === operation) this.#operations.delete(internId);
    }
  }

  /**
   * The intern's own user. Undefined if the service does not run as root, because all interns then run as the service's
   * user.
   */
  async #userOf({ no }: RuntimePlace): Promise<UserIdentity | undefined> {
    if (process.getuid?.() !== 0) return undefined;
    this.#userIds ??= this.#ownUserIds();
    this.#userIds.catch(() => (this.#userIds = undefined));
    return (await this.#userIds).intern(no);
  }

  /** The range of user ids for interns, outside the ranges of people, services and other installations. */
  async #ownUserIds(): Promise<UserIdRange> {
    await mkdir(this.#folder, { recursive: true });
    return ownUserIdRange(this.dataDir);
  }

  #folderOf = ({ internId }: RuntimePlace): string => join(this.#folder, internId);
  #homeOf = (place: RuntimePlace): string => join(this.#folderOf(place), 'home');
  #recordOf = (place: RuntimePlace): string => join(this.#folderOf(place), 'runtime.json');

  async #recorded(place: RuntimePlace): Promise<RunRecord | undefined> {
    const text = await readFile(this.#recordOf(place), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as RunRecord);
  }

  async #record(place: RuntimePlace, record: RunRecord): Promise<void> {
    const path = this.#recordOf(place);
    await writeFile(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}

/** A name in Linux's abstract socket namespace, which is released when its process ends. Null on other systems. */
const lockOf = ({ internId }: RuntimePlace): string | null =>
  process.platform === 'linux' ? `\0gatehouse-${hash('sha256', internId, 'hex').slice(0, 32)}` : null;

const proxyOf = (egress: EgressWay | null): string | null => egress && proxyUrl(egress, egress.port);
