import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Duplex } from 'node:stream';
import { Notifications } from '../../database/notifications.js';
import { MaskableSecrets, type InternAndHost } from '../../vaults/maskable-secrets.js';
import { VaultWatch } from '../vault-watch.js';

interface PassedTunnel extends InternAndHost {
  readonly socket: Duplex;
}

/**
 * The tunnels whose bytes are forwarded unchanged, because no secret of the intern is or was bound to their host. If a
 * secret is bound later, the tunnel is closed, because its content is not masked. The intern's next tunnel to the host
 * is opened.
 */
@Injectable()
export class PassedTunnels implements OnModuleDestroy {
  readonly #open = new Set<PassedTunnel>();
  readonly #watch: VaultWatch;

  constructor(
    private readonly secrets: MaskableSecrets,
    notifications: Notifications,
  ) {
    this.#watch = new VaultWatch(notifications, () => this.#closeKnown());
  }

  async onModuleDestroy(): Promise<void> {
    await this.#watch.stop();
  }

  /** Returns whether a new tunnel must be opened. If not, tracks the tunnel until it closes. */
  async mustBeOpened(pair: InternAndHost, socket: Duplex): Promise<boolean> {
    const { changes } = this.#watch;
    if (await this.secrets.isKnownTo(pair)) return true;
    const tunnel: PassedTunnel = { ...pair, socket };
    this.#open.add(tunnel);
    socket.once('close', () => this.#open.delete(tunnel));
    // The query may have missed a change that was made while it ran.
    if (changes !== this.#watch.changes) this.#watch.trigger();
    return false;
  }

  async #closeKnown(): Promise<void> {
    if (this.#open.size === 0) return;
    const known = new Set(
      (await this.secrets.knownAmong([...this.#open])).map(({ internId, host }) => `${internId} ${host}`),
    );
    for (const { internId, host, socket } of this.#open) if (known.has(`${internId} ${host}`)) socket.destroy();
  }
}
