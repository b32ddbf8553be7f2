import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Sql } from '../../../src/database/sql.js';
import { parseGenerationId } from '../../../src/kernel/ids.js';
import { createEmptyDatabase, type TestDatabase } from '../database/test-database.js';
import { eventually } from '../eventually.js';
import { keptBelow } from '../files/file-uploads.js';
import { expectBalanced, readBooks } from '../money/count-the-money.js';
import { expectStreamsBilledOnce } from '../money/count-the-streams.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../vendors/scripted-chat-vendor.js';
import { RollingCallers, type RollingProxy } from './rolling-callers.js';
import { hashOf } from './rolling-load.js';
import { RollingReplicas } from './rolling-replicas.js';
import { messageTo, pacedVendor } from './rolling-vendor.js';

/** Longer than HAProxy needs to detect that a replica is not ready, and longer than nginx keeps an idle connection. */
const SHUTDOWN_DELAY_MS = 3_000;

/** Several replicas on one database and one data folder, behind proxies, with the load of many callers. */
export class RollingInstallation {
  readonly #proxies: RollingProxy[] = [];
  readonly #callers: RollingCallers[] = [];

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

  /** Starts the callers of each proxy. */
  async load(proxies: readonly RollingProxy[]): Promise<void> {
    this.#proxies.push(...proxies);
    for (const proxy of proxies) this.#callers.push(await RollingCallers.start(proxy));
    await this.progress();
  }

  /** Starts a replica, and adds it to the proxies. */
  async add(): Promise<void> {
    const slot = await this.replicas.start();
    await Promise.all(this.#proxies.map((proxy) => proxy.added(slot)));
    await this.progress();
  }

  /** Adds a replica, and stops the oldest one. */
  async replace(): Promise<void> {
    await this.add();
    const stop = (): Promise<void> => this.replicas.stopOldest();
    if (this.replicas.isOldestOld()) await this.#callers.reduce((work, callers) => () => callers.without(work), stop)();
    else await stop();
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
   * Ends the load, and checks every file and message, and the books. Returns the result of the callers of each proxy.
   * The caller of this method must check their failures.
   */
  async expectCounted(): Promise<Map<string, ReturnType<RollingCallers['result']>>> {
    await Promise.all(this.#callers.map((callers) => callers.stop()));
    const seen = this.#callers.flatMap((callers) => callers.seen);
    const loads = this.#callers.map(({ load }) => load);
    const results = new Map(this.#callers.map((callers) => [callers.proxy.name, callers.result()]));
    if ([...results.values()].some(({ failures, cut }) => failures.length + cut.length > 0)) return results;
    await eventually(async () =>
      expect(await readBooks(this.sql)).toMatchObject({ accountReserved: 0n, keysReserved: 0n, openReservations: 0n }),
    );
    expectBalanced(await readBooks(this.sql));
    expect(await expectStreamsBilledOnce(this.sql, seen)).toMatchObject({ billed: seen.length, lost: 0 });
    await this.#expectBilledOnce(loads.flatMap(({ generationIds }) => generationIds));
    await this.#expectHeardOnce(loads.flatMap(({ messages }) => [...messages.values()].flat()));
    const files = loads.flatMap(({ files }) => files);
    const kept = await keptBelow(join(this.folder.path, 'data'));
    expect((await Promise.all(kept.map(async (path) => hashOf(await readFile(path))))).toSorted()).toEqual(
      files.toSorted(),
    );
    expect(kept.map((path) => basename(path)).filter((name) => name.endsWith('.part'))).toEqual([]);
    return results;
  }

  async close(): Promise<void> {
    await Promise.all(this.#callers.map((callers) => callers.stop()));
    await this.replicas.close();
    await Promise.all(this.#proxies.map((proxy) => proxy.stop()));
    await this.vendor.close();
    await this.sql.close();
    await this.database.drop();
    await this.folder.remove();
  }

  #done(): number[] {
    return this.#callers.flatMap((callers) => callers.done());
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
    for (const callers of this.#callers)
      expect(await callers.turns()).toEqual([...callers.load.messages.values()].map((messages) => [messages.length]));
  }
}
