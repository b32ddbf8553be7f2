import { Controller, Get, Inject, SetMetadata } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ACCESS_METADATA } from '../kernel/access.js';
import { GatewayError } from '../kernel/errors.js';
import { READINESS_PROBES, type ReadinessProbe } from './readiness.js';

/** Outside the API's base path, public: whether the process lives, and whether it can serve. */
@ApiExcludeController()
@SetMetadata(ACCESS_METADATA, 'public')
@Controller()
export class HealthController {
  constructor(@Inject(READINESS_PROBES) private readonly probes: readonly ReadinessProbe[]) {}

  @Get('healthz')
  alive(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  async ready(): Promise<{ status: 'ok' }> {
    const failed = await Promise.all(
      this.probes.map(async (probe) => ((await probe.isReady().catch(() => false)) ? [] : [probe.name])),
    );
    const names = failed.flat();
    if (names.length > 0) throw new GatewayError('unavailable', `Not ready: ${names.join(', ')}`);
    return { status: 'ok' };
  }
}
