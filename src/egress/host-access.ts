import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Stream } from 'node:stream';
import { Notifications } from '../database/notifications.js';
import { ReachableHosts } from '../vaults/reachable-hosts.js';
import type { EgressPass } from './egress-passes.js';
import { EgressRefusal } from './proxy.errors.js';
import { VaultWatch } from './vault-watch.js';

/** The connection to an intern: the socket of a tunnel, or the response to a plain HTTP request. */
type Connection = Stream & { readonly destroyed: boolean; destroy(): unknown };

interface Admitted {
  readonly pass: EgressPass;
  readonly host: string;
}

/**
 * Decides which hosts a boot of an intern may reach: the hosts of its effective secrets and its settings, and hosts
 * that a user allowed for this boot. A connection ends when its host is no longer one of them.
 */
@Injectable()
export class HostAccess implements OnModuleDestroy {
  readonly #open = new Map<Connection, Admitted>();
  readonly #watch: VaultWatch;

  constructor(
    private readonly hosts: ReachableHosts,
    notifications: Notifications,
  ) {
    this.#watch = new VaultWatch(notifications, () => this.#closeRefused(), ['intern_settings_changed']);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#watch.stop();
  }

  /** Throws an EgressRefusal if the host may not be reached; otherwise watches the connection until it closes. */
  async admit(pass: EgressPass, host: string, connection: Connection): Promise<void> {
    const { changes } = this.#watch;
    if (!pass.allowedHosts.has(host) && !(await this.hosts.includes({ internId: pass.internId, host })))
      throw new EgressRefusal(
        403,
        `This intern may not reach ${host}: bind a secret to the host, or add it to allowed_hosts of its settings`,
        { kind: 'egress_host', name: host },
      );
    if (connection.destroyed) return;
    this.#open.set(connection, { pass, host });
    connection.once('close', () => this.#open.delete(connection));
    // The query may have missed a change that was made while it ran.
    if (changes !== this.#watch.changes) this.#watch.trigger();
  }

  async #closeRefused(): Promise<void> {
    const watched = [...this.#open].filter(([, { pass, host }]) => !pass.allowedHosts.has(host));
    if (watched.length === 0) return;
    const pairs = watched.map(([, { pass, host }]) => ({ internId: pass.internId, host }));
    const reachable = new Set((await this.hosts.among(pairs)).map(({ internId, host }) => `${internId} ${host}`));
    for (const [connection, { pass, host }] of watched)
      if (!reachable.has(`${pass.internId} ${host}`)) connection.destroy();
  }
}
