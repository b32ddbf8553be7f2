import { Injectable } from '@nestjs/common';
import type { Duplex } from 'node:stream';
import type { EgressPass } from '../egress-passes.js';
import { HostAccess } from '../host-access.js';
import { Interception } from './interception.js';
import { joinStreams } from '../forwarding/join-streams.js';
import { PassedTunnels } from './passed-tunnels.js';
import { EgressRefusal } from '../proxy.errors.js';
import { SERVICE_HOST } from '../service-host.js';
import { targetOf } from '../target.js';
import { Upstream } from '../forwarding/upstream.js';

/**
 * The tunnels of CONNECT requests. If a secret of the intern is or was bound to the host, the tunnel is opened: the
 * proxy terminates TLS and reads the requests. Otherwise the bytes are forwarded unchanged.
 */
@Injectable()
export class Tunnels {
  constructor(
    private readonly access: HostAccess,
    private readonly interception: Interception,
    private readonly passed: PassedTunnels,
    private readonly upstream: Upstream,
  ) {}

  /**
   * `head`: the bytes that the intern sent after its request. If this method throws, nothing has been sent to the
   * intern.
   */
  async open(pass: EgressPass, authority: string | undefined, socket: Duplex, head: Buffer): Promise<void> {
    const target = targetOf(authority);
    const pair = { internId: pass.internId, host: target.host };
    if (target.host === SERVICE_HOST)
      throw new EgressRefusal(
        403,
        `${SERVICE_HOST} is reached by requests without CONNECT: http://${SERVICE_HOST}/api/v1`,
      );
    await this.access.admit(pass, target.host, socket);
    const opened = await this.passed.mustBeOpened(pair, socket);
    const outer = opened ? undefined : await this.upstream.tunnel(target);
    if (socket.destroyed) return void outer?.destroy();
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    if (outer) joinStreams(socket, outer);
    else this.interception.open(socket, { ...pair, isSecure: target.port === 443 });
  }
}
