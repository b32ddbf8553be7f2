import { eventually } from '../eventually.js';
import { ChatLoad, LOAD_MODEL, type SeenStream } from '../money/chat-load.js';
import { TEST_API_KEY } from '../services/test-service.js';
import { RollingLoad } from './rolling-load.js';

const STREAMERS = 4;
const CHATTERS = 3;
const UPLOADERS = 2;
const INTERNS = 2;

/** A proxy in front of the replicas. */
export interface RollingProxy {
  /** Its name, which is also part of the names of interns. */
  readonly name: string;
  readonly origin: string;
  /** The kind of request to pause while a replica of the previous version stops; undefined = none. */
  readonly without: 'messages' | 'requests' | undefined;
  /** Resolves when the proxy sends requests to the replica in this slot. */
  added(slot: number): Promise<void>;
  stop(): Promise<void>;
}

/** Many callers that send requests through one proxy until `stop`, with interns of their own. */
export class RollingCallers {
  /** The streams of stopped callers. */
  readonly seen: SeenStream[] = [];
  #streams: ChatLoad;

  private constructor(
    readonly proxy: RollingProxy,
    readonly load: RollingLoad,
  ) {
    this.#streams = this.#newStreams();
  }

  /** Creates interns, and starts all callers. */
  static async start(proxy: RollingProxy): Promise<RollingCallers> {
    const names = Array.from({ length: INTERNS }, (_, n) => `${proxy.name}-${n}`);
    const interns = await Promise.all(names.map((name) => makeIntern(proxy.origin, name)));
    return new RollingCallers(proxy, new RollingLoad(proxy.origin, { chats: CHATTERS, uploads: UPLOADERS, interns }));
  }

  /** The number of completed requests of each kind. */
  done(): number[] {
    const { chats, uploads, messages } = this.load.counts;
    return [this.#streams.seen.length, chats.done, uploads.done, messages.done];
  }

  /** Runs `work` without the requests that the proxy may lose while a replica of the previous version stops. */
  async without(work: () => Promise<void>): Promise<void> {
    const { without } = this.proxy;
    if (without === undefined) return work();
    if (without === 'requests') await this.#stopStreams();
    await this.load.without(without, async () => {
      await work();
      await this.turns();
    });
    if (without === 'requests') this.#streams = this.#newStreams();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#stopStreams(), this.load.stop()]);
  }

  /** Waits until the interns run. Returns the number of turns in each of their sessions. */
  turns(): Promise<number[][]> {
    return Promise.all([...this.load.messages.keys()].map((intern) => turnsOf(this.proxy.origin, intern)));
  }

  /** The failed requests, the interrupted streams, and the number of the other requests by kind. */
  result(): { failures: readonly string[]; cut: readonly SeenStream[]; counts: Readonly<Record<string, number>> } {
    const { failures, counts } = this.load;
    const done = Object.fromEntries(Object.entries(counts).map(([kind, count]) => [kind, count.done]));
    return {
      failures,
      cut: this.seen.filter(({ status, whole, failed }) => status !== 200 || !whole || failed),
      counts: { streams: this.seen.length, ...done, reused: counts.chats.reused },
    };
  }

  #newStreams(): ChatLoad {
    return new ChatLoad(() => this.proxy.origin, TEST_API_KEY, STREAMERS);
  }

  async #stopStreams(): Promise<void> {
    const stopped = this.#streams;
    this.seen.push(...(await stopped.stop()));
  }
}

async function makeIntern(origin: string, name: string): Promise<string> {
  const call = async (method: string, path: string, json?: object): Promise<{ id: string }> => {
    const response = await fetch(`${origin}/api/v1/interns${path}`, {
      method,
      headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
      body: json && JSON.stringify(json),
    });
    return (await response.json()) as { id: string };
  };
  const { id } = await call('POST', '', { name });
  await call('PATCH', `/${id}`, { model: LOAD_MODEL });
  await call('POST', `/${id}/provision`, {});
  await turnsOf(origin, id);
  return id;
}

/** Waits until the intern runs. Returns the number of turns in each of its sessions. */
async function turnsOf(origin: string, intern: string): Promise<number[]> {
  return eventually(async () => {
    const response = await fetch(`${origin}/api/v1/interns/${intern}/sessions`, {
      headers: { authorization: `Bearer ${TEST_API_KEY}` },
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { data: { turns: number }[] }).data.map(({ turns }) => turns);
  }, 60_000);
}
