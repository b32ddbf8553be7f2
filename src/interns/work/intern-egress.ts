import { Injectable } from '@nestjs/common';
import { EgressPasses } from '../../egress/egress-passes.js';
import { EgressProxy } from '../../egress/egress-proxy.js';
import type { EgressWay } from '../../runtimes/runtime.driver.js';

/** The way out of one boot: the proxy, and a pass that ends with it. */
@Injectable()
export class InternEgress {
  constructor(
    private readonly proxy: EgressProxy,
    private readonly passes: EgressPasses,
  ) {}

  async open(internId: string): Promise<EgressWay> {
    const endpoint = await this.proxy.endpoint();
    return { ...endpoint, token: this.passes.issue(internId) };
  }

  close({ token }: EgressWay): void {
    this.passes.revoke(token);
  }
}
