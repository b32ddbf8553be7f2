import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Notifications } from '../../database/notifications.js';
import { MaskableSecrets, type InternAndHost } from '../../vaults/maskable-secrets.js';
import { VaultWatch, type OpenConnections, type WatchedConnection } from '../vault-watch.js';

/**
 * The tunnels whose bytes are forwarded unchanged, because no secret of the intern is or was bound to their host. If a
 * secret is bound to the host later, the tunnel is closed, because its content is not masked. The intern's next tunnel
 * to the host will be opened.
 */
@Injectable()
export class PassedTunnels implements OnModuleDestroy {
  readonly #watch: VaultWatch<InternAndHost>;

  constructor(
    private readonly secrets: MaskableSecrets,
    notifications: Notifications,
  ) {
    this.#watch = new VaultWatch(notifications, (open) => this.#closeKnown(open));
  }

  onModuleDestroy(): Promise<void> {
    return this.#watch.stop();
  }

  /** Returns whether a new tunnel must be opened. If not, tracks the tunnel until it closes. */
  async mustBeOpened(pair: InternAndHost, socket: WatchedConnection): Promise<boolean> {
    const track = this.#watch.tracker(socket);
    if (await this.secrets.isKnownTo(pair)) return true;
    track(pair);
    return false;
  }

  async #closeKnown(open: OpenConnections<InternAndHost>): Promise<void> {
    if (open.size === 0) return;
    const known = new Set(
      (await this.secrets.knownAmong([...open.values()])).map(({ internId, host }) => `${internId} ${host}`),
    );
    for (const [socket, { internId, host }] of open) if (known.has(`${internId} ${host}`)) socket.destroy();
  }
}
