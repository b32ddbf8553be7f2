import { setTimeout as delay } from 'node:timers/promises';
import { settleEarlierServer } from './earlier-server.js';
import type { GuardedProcess } from './guarded-process.js';
import { trimLog } from './server-log.js';
import { runServer, type ServerPlan } from './server-run.js';

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;
/** A server that lived this long was healthy: its death starts the pauses over. */
const HEALTHY_AFTER = 2_000;
const LOG_CHECK = 3_600_000;

/** Keeps one server running, on the same port, until it is told to stop. */
export class ServerSupervisor {
  private readonly stopped = new AbortController();
  private server: GuardedProcess | undefined;
  private watching: Promise<void> = Promise.resolve();
  private pause = 0;
  private readonly logCheck: NodeJS.Timeout;

  constructor(
    private readonly plan: ServerPlan,
    private readonly onIncident: (text: string) => void,
  ) {
    this.logCheck = setInterval(() => void trimLog(plan.cluster.logFile).catch(() => undefined), LOG_CHECK).unref();
  }

  async start(): Promise<void> {
    this.server = await runServer(this.plan, this.stopped.signal);
    this.watching = this.watch(this.server);
  }

  /** Resolves when no process of the server is left. */
  async stop(): Promise<void> {
    clearInterval(this.logCheck);
    this.stopped.abort();
    this.server?.release();
    await this.watching;
    // Only if the guard itself was killed can the server be alive still.
    await settleEarlierServer(this.plan.cluster.dataFolder, this.plan.log);
  }

  private async watch(first: GuardedProcess): Promise<void> {
    let server = first;
    while (!this.stopped.signal.aborted) {
      const since = performance.now();
      const how = await server.ended;
      if (this.stopped.signal.aborted) return;
      if (performance.now() - since > HEALTHY_AFTER) this.pause = 0;
      const restarted = await this.restart(how);
      if (restarted === undefined) return;
      server = restarted;
    }
    await server.ended;
  }

  /** Tries until it succeeds; undefined when told to stop meanwhile. */
  private async restart(how: string): Promise<GuardedProcess | undefined> {
    const died = performance.now();
    for (;;) {
      try {
        // The first death is answered at once, a server that keeps dying with growing pauses.
        if (this.pause > 0) await delay(this.pause, undefined, { signal: this.stopped.signal });
        this.pause = Math.min(Math.max(this.pause * 2, FIRST_PAUSE), LONGEST_PAUSE);
        this.server = await runServer(this.plan, this.stopped.signal);
        const ms = Math.round(performance.now() - died);
        this.onIncident(`The embedded PostgreSQL died (${how}) and was restarted; it was away for ${ms} ms.`);
        return this.server;
      } catch (error) {
        if (this.stopped.signal.aborted) return undefined;
        const reason = error instanceof Error ? error.message : String(error);
        this.onIncident(
          `The embedded PostgreSQL died (${how}) and could not be restarted (${reason}); next attempt in ${this.pause} ms.`,
        );
      }
    }
  }
}
