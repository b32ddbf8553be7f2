import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '../../kernel/scheduling/backoff.js';
import { reasonOf } from '../../kernel/errors/errors.js';
import { Periodic } from '../../kernel/scheduling/periodic.js';
import { settleEarlierServer } from './earlier-server.js';
import type { GuardedProcess } from './guarded-process.js';
import { trimLog } from './server-log.js';
import { runServer, type ServerPlan } from './server-run.js';

const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
/** After a run of this length, the next restart is immediate again. */
const HEALTHY_AFTER_MS = 2_000;
const LOG_CHECK_INTERVAL_MS = 3_600_000;

/** Keeps one server running, on the same port, until stop() is called. */
export class ServerSupervisor {
  private readonly stopped = new AbortController();
  private server: GuardedProcess | undefined;
  private watching: Promise<void> = Promise.resolve();
  private deaths = 0;
  private readonly logTrims: Periodic;

  constructor(
    private readonly plan: ServerPlan,
    private readonly onIncident: (text: string) => void,
  ) {
    this.logTrims = new Periodic(
      () => trimLog(plan.cluster.logFile),
      () => undefined,
    );
    this.logTrims.start(LOG_CHECK_INTERVAL_MS);
  }

  async start(): Promise<void> {
    this.server = await runServer(this.plan, this.stopped.signal);
    this.watching = this.watch(this.server);
  }

  /** Resolves when no process of the server remains. */
  async stop(): Promise<void> {
    await this.logTrims.stop();
    this.stopped.abort();
    this.server?.release();
    await this.watching;
    // The server can still be alive if the guard was killed.
    await settleEarlierServer(this.plan.cluster.dataFolder, this.plan.log);
  }

  private async watch(first: GuardedProcess): Promise<void> {
    let server = first;
    while (!this.stopped.signal.aborted) {
      const since = performance.now();
      const how = await server.ended;
      if (this.stopped.signal.aborted) return;
      if (performance.now() - since > HEALTHY_AFTER_MS) this.deaths = 0;
      const restarted = await this.restart(how);
      if (restarted === undefined) return;
      server = restarted;
    }
    await server.ended;
  }

  private get pauseMs(): number {
    return backoffMs(this.deaths, MIN_PAUSE_MS, MAX_PAUSE_MS);
  }

  /** Retries until it succeeds; returns undefined if stop() was called. */
  private async restart(how: string): Promise<GuardedProcess | undefined> {
    const died = performance.now();
    for (;;) {
      try {
        // The first restart is immediate. The pause grows with each further restart.
        if (this.deaths > 0) await delay(this.pauseMs, undefined, { signal: this.stopped.signal });
        this.deaths++;
        this.server = await runServer(this.plan, this.stopped.signal);
        const ms = Math.round(performance.now() - died);
        this.onIncident(`The embedded PostgreSQL died (${how}) and was restarted; it was not available for ${ms} ms.`);
        return this.server;
      } catch (error) {
        if (this.stopped.signal.aborted) return undefined;
        const reason = reasonOf(error);
        this.onIncident(
          `The embedded PostgreSQL died (${how}) and could not be restarted (${reason}); next attempt in ` +
            `${this.pauseMs} ms.`,
        );
      }
    }
  }
}
