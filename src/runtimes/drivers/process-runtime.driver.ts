import { spawn, type ChildProcess } from 'node:child_process';
import { hash } from 'node:crypto';
import { chmod, chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { AgentConversation } from '../agent-conversation.js';
import { agentFile } from '../agent-file.js';
import {
  RuntimeDriver,
  SupersededRuntime,
  type EgressWay,
  type Runtime,
  type RuntimeBoot,
  type RuntimePlace,
} from '../runtime.driver.js';
import { killGroup, killUser, markOf, type ProcessMark } from './process-table.js';

const READY_WITHIN_MS = 20_000;
const STOPS_WITHIN_MS = 3_000;
/** As root each intern has a user id of its own, far from those of people, services and the database. */
const FIRST_USER_ID = 2_000_000;
const USER_IDS = 1_000_000;

interface RunRecord extends ProcessMark {
  readonly fence: number;
}

/**
 * An intern as a supervised child process on this machine: its own folder, its own user id where the service is root, the proxy
 * by environment. A convenience and no boundary: it sees this machine's network and whatever its user may read.
 */
export class ProcessRuntimeDriver extends RuntimeDriver {
  readonly runs = true;
  readonly #folder: string;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(private readonly dataDir: string) {
    super();
    this.#folder = join(dataDir, 'interns');
  }

  async prepare(place: RuntimePlace): Promise<void> {
    const home = this.#homeOf(place);
    // Passable for the intern's user, who gets to its home and nothing else.
    for (const folder of [this.#folder, this.#folderOf(place)]) {
      await mkdir(folder, { recursive: true });
      await chmod(folder, 0o711);
    }
    await this.#letThrough();
    await mkdir(home, { recursive: true });
    await chmod(home, 0o700);
    const uid = userIdOf(place);
    if (uid !== undefined) await chown(home, uid, uid);
  }

  start(boot: RuntimeBoot): Promise<Runtime> {
    return this.#inTurn(boot.place, async () => {
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
    return this.#inTurn(place, () => this.#end(place, fence));
  }

  async remove(place: RuntimePlace): Promise<void> {
    await this.#inTurn(place, () => rm(this.#folderOf(place), { recursive: true, force: true }));
  }

  /** As root: other users may pass through the data folder, not list it; what lies in it has modes of its own. */
  async #letThrough(): Promise<void> {
    if (process.getuid?.() !== 0) return;
    const { mode } = await stat(this.dataDir);
    if ((mode & 0o001) === 0) await chmod(this.dataDir, (mode & 0o7777) | 0o001);
  }

  async #end(place: RuntimePlace, fence: number): Promise<void> {
    const record = await this.#recorded(place);
    if (record && record.fence > fence)
      throw new SupersededRuntime(`a runtime was started under fence ${record.fence}`);
    if (record) await killGroup(record);
    const uid = userIdOf(place);
    if (uid !== undefined && process.platform === 'linux') await killUser(uid);
  }

  async #spawn(boot: RuntimeBoot): Promise<ChildProcess> {
    const { place, egress } = boot;
    const uid = userIdOf(place);
    // Node adds ours to the authorities it knows; other programs take a file with all they shall trust.
    const trust = {
      own: join(this.#folderOf(place), 'authority.pem'),
      all: join(this.#folderOf(place), 'authorities.pem'),
    };
    await writeFile(trust.own, egress?.authority ?? '', { mode: 0o644 });
    await writeFile(trust.all, [...rootCertificates, egress?.authority ?? ''].join('\n'), { mode: 0o644 });
    const log = await open(join(this.#folderOf(place), 'agent.log'), 'w', 0o600);
    try {
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', agentFile()], {
        cwd: this.#homeOf(place),
        env: environmentOf(this.#homeOf(place), egress, trust),
        ...(uid === undefined ? {} : { uid, gid: uid }),
        stdio: ['pipe', 'pipe', log.fd],
        // Leads a group of its own: Ctrl-C on a terminal is for the service, which then stops it.
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
    await conversation.boot(boot, { lock: lockOf(boot.place), bridge: null }, ended, READY_WITHIN_MS);
    return {
      ended,
      extend: (until) => conversation.extend(until),
      isHealthy: () => conversation.isHealthy(),
      stop: async () => {
        conversation.stop();
        const slow = setTimeout(() => void killGroup(mark).catch(() => undefined), STOPS_WITHIN_MS);
        await ended;
        clearTimeout(slow);
        await this.stop(boot.place, boot.fence).catch(() => undefined);
      },
    };
  }

  /** One after the other for each intern: a start ends what ran before it. */
  async #inTurn<T>({ internId }: RuntimePlace, act: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(internId) ?? Promise.resolve()).then(act, act);
    this.#turns.set(internId, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(internId) === turn) this.#turns.delete(internId);
    }
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

/** Undefined for an ordinary user: then interns run as the service's own. */
const userIdOf = ({ no }: RuntimePlace): number | undefined =>
  process.getuid?.() === 0 ? FIRST_USER_ID + (no % USER_IDS) : undefined;

/** A name in the kernel's abstract space, which is free again the moment its holder dies. Only Linux has it. */
const lockOf = ({ internId }: RuntimePlace): string | null =>
  process.platform === 'linux' ? `\0gatehouse-${hash('sha256', internId, 'hex').slice(0, 32)}` : null;

/** Nothing of the service's own environment reaches an intern. */
function environmentOf(
  home: string,
  egress: EgressWay | null,
  trust: { readonly own: string; readonly all: string },
): Record<string, string> {
  const proxy = egress ? `http://intern:${egress.token.reveal()}@127.0.0.1:${egress.port}` : undefined;
  const way: Record<string, string> = proxy
    ? {
        HTTP_PROXY: proxy,
        HTTPS_PROXY: proxy,
        http_proxy: proxy,
        https_proxy: proxy,
        NODE_USE_ENV_PROXY: '1',
        NODE_EXTRA_CA_CERTS: trust.own,
        SSL_CERT_FILE: trust.all,
        CURL_CA_BUNDLE: trust.all,
      }
    : {};
  return { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, LANG: 'C.UTF-8', ...way };
}
