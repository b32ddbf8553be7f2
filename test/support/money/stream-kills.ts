import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectEmbeddedPostgres } from '../../../src/database/embedded-postgres.js';
import { Sql } from '../../../src/database/sql.js';
import { parseGenerationId, timeOfId } from '../../../src/kernel/ids.js';
import { eventually } from '../eventually.js';
import { startServiceProcess, type ServiceProcess } from '../services/service-process.js';
import { TEST_API_KEY } from '../services/test-service.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../vendors/scripted-chat-vendor.js';
import { ChatLoad, randomStreams, type SeenStream } from './chat-load.js';
import { expectBalanced, readBooks } from './count-the-money.js';
import { expectStreamsBilledOnce, unknownOutcomes } from './count-the-streams.js';

const CALLERS = 24;
const LEASE_MS = 2_000;
/** The maximum time until a renewal of a credit lease lists a new call: the interval and the duration of renewals. */
const MAX_UNLISTED_MS = 1_500;
const SERVES_WITHIN_MS = 30_000;

export interface CountOptions {
  /** The number of calls with unknown outcome before the kill. */
  readonly lostBefore: number;
  /** Calls that started after this Unix time may have no record if they were on a credit lease. */
  readonly unlistedSince?: number;
  /** A crash of the database may lose the most recent reservations. */
  readonly mayLoseReservations?: boolean;
}

/** A service process, callers that stream from it without pause, and the check of the money after a kill. */
export class StreamKills {
  private constructor(
    private readonly folder: TemporaryFolder,
    private readonly vendor: ScriptedChatVendor,
    private readonly env: Readonly<Record<string, string>>,
    public service: ServiceProcess,
    /** The URL of the database. */
    readonly url: string,
    readonly sql: Sql,
  ) {}

  static async open(env: Readonly<Record<string, string>> = {}): Promise<StreamKills> {
    const folder = await temporaryFolder();
    const vendor = await startScriptedChatVendor(randomStreams({ cut: 10, pauseMs: 5 }));
    const dataDir = join(folder.path, 'data');
    const all = {
      DATA_DIR: dataDir,
      RESERVATION_LEASE_MS: String(LEASE_MS),
      BREAKER_FAILURES: '1000',
      OPENAI_API_KEY: 'sk-vendor',
      OPENAI_BASE_URL: vendor.baseUrl,
      ...env,
    };
    const service = await startServiceProcess(all);
    const { url } = await connectEmbeddedPostgres({ dataDir, log: () => undefined });
    return new StreamKills(folder, vendor, all, service, url, new Sql(url, 2));
  }

  get dataDir(): string {
    return join(this.folder.path, 'data');
  }

  async restart(): Promise<void> {
    // With workers, the port is free only after they have ended.
    await this.service.exited;
    this.service = await startServiceProcess(this.env);
  }

  load(seed: number): ChatLoad {
    return new ChatLoad(() => this.service.origin, TEST_API_KEY, CALLERS, { leaving: 20, seed });
  }

  /**
   * Waits until as many streams as there are callers have reported their usage. Then waits for a random part of a
   * second. Streams before the number `from` do not count.
   */
  async underWay(load: ChatLoad, random: () => number = Math.random, from = 0): Promise<void> {
    const reached = (): number => load.seen.slice(from).filter(({ usage }) => usage !== undefined).length;
    while (reached() < CALLERS) await sleep(20);
    await sleep(random() * 1_000);
  }

  /** Waits until a stream has failed and a later stream is complete. Streams before the number `from` do not count. */
  async servesAgain(load: ChatLoad, from: number): Promise<void> {
    await eventually(async () => {
      const refused = load.seen.findIndex(({ status }, at) => at >= from && status !== 200);
      expect(refused).toBeGreaterThanOrEqual(0);
      expect(load.seen.slice(refused).some(({ usage }) => usage !== undefined)).toBe(true);
    }, SERVES_WITHIN_MS);
  }

  /** Checks the money after all reservations have ended. Returns the number of lost calls. */
  async count(
    seen: readonly SeenStream[],
    { lostBefore, unlistedSince = Infinity, mayLoseReservations = false }: CountOptions,
  ): Promise<number> {
    await this.#settled();
    expectBalanced(await readBooks(this.sql));
    // A failed settlement is recorded when the database is available again.
    const counts = await eventually(async () => {
      const found = await expectStreamsBilledOnce(this.sql, seen);
      const failedItself = ({ failed, status }: SeenStream): boolean => failed || status >= 500;
      const isYoung = ({ generationId }: SeenStream): boolean =>
        timeOfId(parseGenerationId(generationId!)!).getTime() >= unlistedSince;
      expect(found.uncounted.filter((call) => !isYoung(call) && !(mayLoseReservations && failedItself(call)))).toEqual(
        [],
      );
      return found;
    });
    expect(counts.billed).toBeGreaterThan(0);
    const lost = (await unknownOutcomes(this.sql)) - lostBefore;
    // Each lost call was running at the kill. Its caller was waiting, or no longer waited (`lostAfterEnd`).
    expect(Math.max(lost, counts.lost)).toBeLessThanOrEqual(CALLERS + counts.lostAfterEnd);
    return counts.lost;
  }

  /** The time since which calls on a lease may have no record, if a process is killed now. */
  static unlistedSince(): number {
    return Date.now() - MAX_UNLISTED_MS;
  }

  async close(): Promise<void> {
    await this.sql.close();
    this.service.kill('SIGTERM');
    await this.service.exited;
    await this.vendor.close();
    await this.folder.remove();
  }

  /** Waits until the books can be read again and no reservations are open. */
  async #settled(): Promise<void> {
    const until = performance.now() + SERVES_WITHIN_MS;
    for (;;) {
      const open = await readBooks(this.sql).then(
        (books) => books.openReservations,
        () => -1n,
      );
      if (open === 0n) return;
      if (performance.now() > until) throw new Error(`reservations outlive their lease: ${open}`);
      await sleep(200);
    }
  }
}
