import { PassThrough, type Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { Notifications } from '../../database/notifications.js';
import type { InternAndHost, MaskableSecrets } from '../../vaults/maskable-secrets.js';
import { PassedTunnels } from './passed-tunnels.js';

const PAIR: InternAndHost = { internId: 'an intern', host: 'api.bound.test' };

describe('a tunnel that is passed through unopened', () => {
  let changed: () => void;
  let isKnown: boolean;
  let socket: Duplex;
  let tunnels: PassedTunnels;
  /** The number of tunnels in the last check. */
  let checked: number;
  /** Runs after a query has read its rows, and before its result arrives. */
  let beforeResult: () => void;

  beforeEach(() => {
    [isKnown, socket, checked, beforeResult] = [false, new PassThrough(), 0, () => undefined];
    const notifications = { on: (_: string, handler: () => void) => (changed = handler), onGap: () => undefined };
    const secrets = {
      isKnownTo: async () => {
        const result = isKnown;
        await turn();
        beforeResult();
        return result;
      },
      knownAmong: async (pairs: readonly InternAndHost[]) => {
        checked = pairs.length;
        return isKnown ? [...pairs] : [];
      },
    };
    tunnels = new PassedTunnels(secrets as unknown as MaskableSecrets, notifications as unknown as Notifications);
  });
  afterEach(() => tunnels.onModuleDestroy());

  it('is closed when a secret is bound to its host', async () => {
    expect(await tunnels.mustBeOpened(PAIR, socket)).toBe(false);
    changed();
    await turn();
    expect(socket.destroyed).toBe(false);
    isKnown = true;
    changed();
    await turn();
    expect(socket.destroyed).toBe(true);
  });

  it('is closed if a secret is bound to its host while the query runs', async () => {
    beforeResult = () => {
      isKnown = true;
      changed();
    };
    expect(await tunnels.mustBeOpened(PAIR, socket)).toBe(false);
    await turn();
    expect(socket.destroyed).toBe(true);
  });

  it('is not watched for changes if its socket closed before the query', async () => {
    socket.destroy();
    await turn();
    expect(await tunnels.mustBeOpened(PAIR, socket)).toBe(false);
    changed();
    await turn();
    expect(checked).toBe(0);
  });

  it('is opened instead if the host knows a secret, and is then not closed by a change during the query', async () => {
    isKnown = true;
    beforeResult = () => changed();
    expect(await tunnels.mustBeOpened(PAIR, socket)).toBe(true);
    changed();
    await turn();
    expect(socket.destroyed).toBe(false);
  });
});
