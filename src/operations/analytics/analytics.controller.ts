import { Body, Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { RateLimited } from '../../auth/rate-limited.decorator.js';
import { callerSignal } from '../../http/edge/caller-signal.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { AnalyticsService } from './analytics.service.js';
import { toAnalyticsMeta, toAnalyticsText } from './analytics.wire.js';
import { AnalyticsMetaResponse } from './dto/analytics-meta.response.dto.js';
import { AnalyticsQueryRequest } from './dto/analytics-query.request.dto.js';
import { AnalyticsQueryResponse } from './dto/analytics-query.response.dto.js';

@ApiTags('Analytics')
@Access('management', 'usage.sums')
@RateLimited('analytics')
@Controller('analytics')
export class AnalyticsController {
  constructor(private readonly analytics: AnalyticsService) {}

  @Get('meta')
  @Operation(
    'getAnalyticsMeta',
    'Get available analytics metrics and dimensions',
    'Returns the names that a query can use.',
  )
  @ApiOkResponse({ type: AnalyticsMetaResponse, description: 'Metrics, dimensions, operators and granularities' })
  @FailsWith('forbidden')
  meta(): AnalyticsMetaResponse {
    return { data: toAnalyticsMeta() };
  }

  @Post('query')
  @HttpCode(200)
  @Operation('queryAnalytics', 'Query analytics data', 'Aggregates the calls of the account in a time range.')
  @ApiOkResponse({ type: AnalyticsQueryResponse, description: 'One row per bucket and combination of dimensions' })
  @FailsWith('forbidden', 'deadline_exceeded')
  async query(
    @Body() request: AnalyticsQueryRequest,
    @Caller() caller: Principal,
    @Res() response: Response,
  ): Promise<void> {
    const parts = toAnalyticsText(await this.analytics.query(request, caller, callerSignal(response)));
    const length = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': length });
    response.cork();
    for (const part of parts) response.write(part);
    // Uncork the response before it ends, because a corked response that is compressed never drains.
    response.uncork();
    response.end();
  }
}
