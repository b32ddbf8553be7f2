import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { Clock } from '../../kernel/clock.js';
import { HealthResponse } from './dto/health.response.dto.js';
import { HealthService } from './health.service.js';
import { toHealthRecord } from './health.wire.js';

@ApiTags('Health')
@Access('operator', 'channels.read')
@Controller('health')
export class HealthDetailsController {
  constructor(
    private readonly health: HealthService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Operation(
    'getHealth',
    'Get the health of the service',
    'Endpoints with their circuit breakers, platform credentials, processes, dependencies of the service, the ' +
      'analytics store and the queue of webhooks. Each process keeps its breakers and counts in memory: the response ' +
      'adds up the processes of the replica that responds, and does not include other replicas. A part that cannot ' +
      "be read in time is null, and the status stays 200. For keys of the operator's account only.",
  )
  @ApiOkResponse({ type: HealthResponse, description: 'The health of this replica' })
  @FailsWith('forbidden', 'not_found')
  async get(): Promise<HealthResponse> {
    return { data: toHealthRecord(await this.health.read(), this.clock.now()) };
  }
}
