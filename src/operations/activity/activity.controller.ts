import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { ActivityService } from './activity.service.js';
import { toActivityItem } from './activity.wire.js';
import { ActivityRequest } from './dto/activity.request.dto.js';
import { ActivityResponse } from './dto/activity.response.dto.js';

@ApiTags('Analytics')
@Access('management', 'usage.sums')
@Controller('activity')
export class ActivityController {
  constructor(private readonly activity: ActivityService) {}

  @Get()
  @Operation(
    'getUserActivity',
    'Get user activity grouped by endpoint',
    'Returns the exact spend of each of the last 30 completed UTC days, by model and provider.',
  )
  @ApiOkResponse({ type: ActivityResponse, description: 'One item for each day, model and provider, newest first' })
  @FailsWith('forbidden', 'not_found')
  async get(@Query() request: ActivityRequest, @Caller() caller: Principal): Promise<ActivityResponse> {
    const rows = await this.activity.get(request, caller);
    return { data: rows.map(toActivityItem) };
  }
}
