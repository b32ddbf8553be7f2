import { Logger } from '@nestjs/common';
import type { Stream } from 'node:stream';
import type { Notifications } from '../database/notifications.js';
import { Periodic } from '../kernel/scheduling/periodic.js';

/** Maximum time to detect a change without a notification. */
const CHECK_INTERVAL_MS = 5_000;

/** A connection to an intern: a socket, or a response. */
export type WatchedConnection = Stream & {
  readonly destroyed?: boolean;
  /** Only responses of HTTP/2 have this member. */
  readonly stream?: { readonly destroyed: boolean };
  destroy(): unknown;
};

/** Open connections, each with the facts on which its check depends. */
export type OpenConnections<Facts> = ReadonlyMap<WatchedConnection, Facts>;

/**
 * Checks open connections after every change of a vault, and at an interval. Checks never overlap. Changes during a
 * check cause one more check.
 */
export class VaultWatch<Facts> {
  readonly #log = new Logger('egress');
  readonly #open = new Map<WatchedConnection, Facts>();
  readonly #checks: Periodic;
  #changes = 0;

  /** `channels`: additional notification channels that trigger the check. */
  constructor(
    notifications: Notifications,
    check: (open: OpenConnections<Facts>) => Promise<void>,
    channels: readonly string[] = [],
  ) {
    this.#checks = new Periodic(
      () => check(this.#open),
      ({ message }) =>
        this.#log.warn(`cannot check open connections after a change of a vault, will retry: ${message}`),
    );
    this.#checks.start(CHECK_INTERVAL_MS);
    const changed = (): void => {
      this.#changes++;
      void this.#checks.trigger();
    };
    for (const channel of ['vault_changed', ...channels]) notifications.on(channel, changed);
    notifications.onGap(changed);
  }

  /**
   * Call this before the facts are read. The returned function adds the connection with its facts. The connection is
   * checked until it closes.
   */
  tracker(connection: WatchedConnection): (facts: Facts) => void {
    const before = this.#changes;
    return (facts) => {
      // A closed connection emits no further event that would remove it.
      if (connection.destroyed || connection.stream?.destroyed) return;
      this.#open.set(connection, facts);
      connection.once('close', () => this.#open.delete(connection));
      // The facts may lack a change that was made while they were read.
      if (before !== this.#changes) void this.#checks.trigger();
    };
  }

  stop(): Promise<void> {
    return this.#checks.stop();
  }
}
