import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Sql } from '../../../src/database/sql.js';
import { createEmptyDatabase, type TestDatabase } from '../database/test-database.js';
import { eventually } from '../eventually.js';
import { keptBelow } from '../files/file-uploads.js';
import { ChatLoad, LOAD_MODEL, type SeenStream } from '../money/chat-load.js';
import { expectBalanced, readBooks } from '../money/count-the-money.js';
import { expectStreamsBilledOnce } from '../money/count-the-streams.js';
import { TEST_API_KEY } from '../services/test-service.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../vendors/scripted-chat-vendor.js';
import { parseGenerationId } from '../../../src/kernel/ids.js';
import { hashOf, RollingLoad } from './rolling-load.js';
import { RollingReplicas } from './rolling-replicas.js';
import { messageTo, pacedVendor } from './rolling-vendor.js';

/** Longer than HAProxy needs to detect that a replica is not ready, and longer than nginx keeps an idle connection. */
const SHUTDOWN_DELAY_MS = 3_000;
const STREAMERS = 4;
const CHATTERS = 3;
const UPLOADERS = 2;
const INTERNS = 2;

/** A proxy in front of the replicas. */
export interface RollingProxy {
  readonly origin: string;
  /** Resolves when the proxy sends requests to the replica in this slot. */
  added(slot: number): Promise<void>;
  stop(): Promise<void>;
}

/** Several replicas on one database and one data folder, behind a proxy, with the load of many callers. */
export class RollingInstallation {
  #streams: ChatLoad | undefined;
  readonly #seen: SeenStream[] = [];
  #load: RollingLoad | undefined;
  #proxy: RollingProxy | undefined;

  private constructor(
    private readonly folder: TemporaryFolder,
    private readonly database: TestDatabase,
    private readonly vendor: ScriptedChatVendor,
    private readonly sql: Sql,
    readonly replicas: RollingReplicas,
  ) {}

  static async open(): Promise<RollingInstallation> {
    const [folder, database, vendor] = await Promise.all([
      temporaryFolder(),
      createEmptyDatabase(),
      startScriptedChatVendor(pacedVendor(1)),
    ]);
    const replicas = await RollingReplicas.open({
      DATABASE_URL: database.url,
      DATA_DIR: join(folder.path, 'data'),
      MASTER_KEY: 'a1'.repeat(32),
      ANALYTICS_STORE: 'postgres',
      TRUST_PROXY: 'loopback',
      SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS),
      // The maximum, because a runtime ends if a busy machine renews its lease late.
      INTERN_LEASE_MS: '9999',
      INTERN_MOVE_TIMEOUT_MS: '60000',
      DATABASE_TIMEOUT_MS: '30000',
      OPENAI_API_KEY: 'sk-vendor',
      OPENAI_BASE_URL: vendor.baseUrl,
    });
    return new RollingInstallation(folder, database, vendor, new Sql(database.url, 2), replicas);
  }

  /** Creates interns, and starts all callers. */
  async load(proxy: RollingProxy): Promise<void> {
    this.#proxy = proxy;
    const interns = await Promise.all(Array.from({ length: INTERNS }, (_, n) => this.#intern(`intern-${n}`)));
    this.#startStreams();
    this.#load = new RollingLoad(proxy.origin, { chats: CHATTERS, uploads: UPLOADERS, interns });
    await this.progress();
  }

  /** Starts a replica, and adds it to the proxy. */
  async add(): Promise<void> {
    await this.#proxy!.added(await this.replicas.start());
    await this.progress();
  }

  /** Adds a replica, and stops the oldest one. `without`: pauses this kind of request during the stop. */
  async replace(without?: 'messages' | 'requests'): Promise<void> {
    await this.add();
    if (without === undefined) {
      await this.replicas.stopOldest();
    } else {
      if (without === 'requests') await this.#stopStreams();
      await this.#load!.without(without, async () => {
        await this.replicas.stopOldest();
        await Promise.all([...this.#load!.messages.keys()].map((intern) => this.#sessionsOf(intern)));
      });
      if (without === 'requests') this.#startStreams();
    }
    await this.progress();
  }

  /** Resolves when each kind of caller has completed a request that ended after this call. */
  async progress(): Promise<void> {
    const before = this.#done();
    await eventually(async () => {
      for (const [at, done] of this.#done().entries()) expect(done).toBeGreaterThan(before[at]!);
    }, 30_000);
  }

  /**
   * Ends the load, and checks every request, stream, file and message, and the books. Returns the number of requests by
   * kind.
   */
  async expectWhole(): Promise<Record<string, number>> {
    await Promise.all([this.#stopStreams(), this.#load!.stop()]);
    const seen = this.#seen;
    const { failures, counts, generationIds, files, messages } = this.#load!;
    const cut = seen.filter(({ status, whole, failed }) => status !== 200 || !whole || failed);
    expect({ failures, cut }).toEqual({ failures: [], cut: [] });
    await eventually(async () =>
      expect(await readBooks(this.sql)).toMatchObject({ accountReserved: 0n, keysReserved: 0n, openReservations: 0n }),
    );
    expectBalanced(await readBooks(this.sql));
    expect(await expectStreamsBilledOnce(this.sql, seen)).toMatchObject({ billed: seen.length, lost: 0 });
    await this.#expectBilledOnce(generationIds);
    await this.#expectHeardOnce([...messages.values()].flat());
    const kept = await keptBelow(join(this.folder.path, 'data'));
    expect((await Promise.all(kept.map(async (path) => hashOf(await readFile(path))))).toSorted()).toEqual(
      files.toSorted(),
    );
    expect(kept.map((path) => basename(path)).filter((name) => name.endsWith('.part'))).toEqual([]);
    return {
      streams: seen.length,
      ...Object.fromEntries(Object.entries(counts).map(([kind, { done }]) => [kind, done])),
      reused: counts.chats.reused,
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#streams?.stop(), this.#load?.stop()]);
    await this.replicas.close();
    await this.#proxy?.stop();
    await this.vendor.close();
    await this.sql.close();
    await this.database.drop();
    await this.folder.remove();
  }

  #startStreams(): void {
    this.#streams = new ChatLoad(() => this.#proxy!.origin, TEST_API_KEY, STREAMERS);
  }

  async #stopStreams(): Promise<void> {
    this.#seen.push(...(await this.#streams!.stop()));
  }

  #done(): number[] {
    const { chats, uploads, messages } = this.#load!.counts;
    return [this.#streams!.seen.length, chats.done, uploads.done, messages.done];
  }

  async #intern(name: string): Promise<string> {
    const call = async (method: string, path: string, json?: object): Promise<{ id: string; status: string }> => {
      const response = await fetch(`${this.#proxy!.origin}/api/v1/interns${path}`, {
        method,
        headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
        body: json && JSON.stringify(json),
      });
      return (await response.json()) as { id: string; status: string };
    };
    const { id } = await call('POST', '', { name });
    await call('PATCH', `/${id}`, { model: LOAD_MODEL });
    await call('POST', `/${id}/provision`, {});
    await this.#sessionsOf(id);
    return id;
  }

  /** Waits until the intern runs. Returns the number of turns in each of its sessions. */
  async #sessionsOf(intern: string): Promise<number[]> {
    const url = `${this.#proxy!.origin}/api/v1/interns/${intern}/sessions`;
    return eventually(async () => {
      const response = await fetch(url, { headers: { authorization: `Bearer ${TEST_API_KEY}` } });
      expect(response.status).toBe(200);
      return ((await response.json()) as { data: { turns: number }[] }).data.map(({ turns }) => turns);
    }, 60_000);
  }

  async #expectBilledOnce(generationIds: readonly string[]): Promise<void> {
    const ids = generationIds.map((id) => parseGenerationId(id)!);
    expect(new Set(ids).size).toBe(ids.length);
    const [row] = await this.sql.query<{ n: number }>(
      `select count(*)::int as n from ledger_line where generation_id = any($1::uuid[])`,
      [ids],
    );
    expect(row!.n).toBe(ids.length);
  }

  /** Each message reached the model once, and is in a transcript once. */
  async #expectHeardOnce(sent: readonly string[]): Promise<void> {
    const heard = this.vendor.seen.map((call) => messageTo(call)).filter((message) => message !== undefined);
    expect(heard.toSorted()).toEqual(sent.toSorted());
    const turns = await Promise.all([...this.#load!.messages.keys()].map((intern) => this.#sessionsOf(intern)));
    expect(turns).toEqual([...this.#load!.messages.values()].map((messages) => [messages.length]));
  }
}
