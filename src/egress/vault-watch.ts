import { Logger } from '@nestjs/common';
import type { Notifications } from '../database/notifications.js';
import { Periodic } from '../kernel/scheduling/periodic.js';

/** Maximum time to detect a change without a notification. */
const CHECK_INTERVAL_MS = 5_000;

/** Runs a check after every change of a vault. Checks never overlap; changes during a check cause one more. */
export class VaultWatch {
  readonly #log = new Logger('egress');
  readonly #checks: Periodic;
  #changes = 0;

  /** `channels`: additional notification channels that trigger the check. */
  constructor(notifications: Notifications, check: () => Promise<void>, channels: readonly string[] = []) {
    this.#checks = new Periodic(check, ({ message }) =>
      this.#log.warn(`cannot check open connections after a change of a vault, will retry: ${message}`),
    );
    this.#checks.start(CHECK_INTERVAL_MS);
    const changed = (): void => {
      this.#changes++;
      this.trigger();
    };
    for (const channel of ['vault_changed', ...channels]) notifications.on(channel, changed);
    notifications.onGap(changed);
  }

  /** The number of changes reported so far. */
  get changes(): number {
    return this.#changes;
  }

  trigger(): void {
    void this.#checks.trigger();
  }

  stop(): Promise<void> {
    return this.#checks.stop();
  }
}
