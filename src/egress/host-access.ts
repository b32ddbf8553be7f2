import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Notifications } from '../database/notifications.js';
import { ReachableHosts } from '../vaults/reachable-hosts.js';
import type { EgressPass } from './egress-passes.js';
import { EgressRefusal } from './proxy.errors.js';
import { VaultWatch, type OpenConnections, type WatchedConnection } from './vault-watch.js';

interface Admitted {
  readonly pass: EgressPass;
  readonly host: string;
}

/**
 * Decides which hosts a boot of an intern may reach: the hosts of the intern's effective secrets and settings, and
 * hosts that a user allowed for this boot. Closes a connection when its host is no longer allowed.
 */
@Injectable()
export class HostAccess implements OnModuleDestroy {
  readonly #watch: VaultWatch<Admitted>;

  constructor(
    private readonly hosts: ReachableHosts,
    notifications: Notifications,
  ) {
    this.#watch = new VaultWatch(notifications, (open) => this.#closeRefused(open), ['intern_settings_changed']);
  }

  onModuleDestroy(): Promise<void> {
    return this.#watch.stop();
  }

  /** Throws an EgressRefusal if the host may not be reached; otherwise watches the connection until it closes. */
  async admit(pass: EgressPass, host: string, connection: WatchedConnection): Promise<void> {
    const track = this.#watch.tracker(connection);
    if (!pass.allowedHosts.has(host) && !(await this.hosts.includes({ internId: pass.internId, host })))
      throw new EgressRefusal(
        403,
        `This intern may not reach ${host}: bind a secret to the host, or add it to allowed_hosts of its settings`,
        { kind: 'egress_host', name: host },
      );
    track({ pass, host });
  }

  async #closeRefused(open: OpenConnections<Admitted>): Promise<void> {
    const watched = [...open].filter(([, { pass, host }]) => !pass.allowedHosts.has(host));
    if (watched.length === 0) return;
    const pairs = watched.map(([, { pass, host }]) => ({ internId: pass.internId, host }));
    const reachable = new Set((await this.hosts.among(pairs)).map(({ internId, host }) => `${internId} ${host}`));
    for (const [connection, { pass, host }] of watched)
      if (!reachable.has(`${pass.internId} ${host}`)) connection.destroy();
  }
}
