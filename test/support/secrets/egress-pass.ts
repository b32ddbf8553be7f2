import { EgressPasses } from '../../../src/egress/egress-passes.js';
import { EgressProxy } from '../../../src/egress/egress-proxy.js';
import type { RunningService } from '../../../src/service.js';
import type { Pass } from './egress-client.js';

/** Issues a pass like the boot of an intern. It also allows these hosts, as if a user had allowed them. */
export async function passOf(
  app: RunningService['app'],
  internId: string,
  allowedHosts: readonly string[] = [],
): Promise<Pass> {
  const passes = app.get(EgressPasses, { strict: false });
  const { port, authority } = await app.get(EgressProxy, { strict: false }).endpoint();
  const token = passes.issue(internId);
  for (const host of allowedHosts) passes.allow(token, host);
  return { port, authority, token: token.reveal() };
}
