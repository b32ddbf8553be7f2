import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { RateLimited } from '../../auth/rate-limited.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { Revalidates } from '../../http/reply/revalidates.decorator.js';
import { BenchmarksRequest } from './dto/benchmarks.request.dto.js';
import { BenchmarksResponse } from './dto/benchmarks.response.dto.js';
import { BenchmarksService } from './benchmarks.service.js';

@ApiTags('Benchmarks')
@Access('any', 'catalogue.read')
@RateLimited('benchmarks')
@Controller('benchmarks')
export class BenchmarksController {
  constructor(private readonly benchmarks: BenchmarksService) {}

  @Get()
  @Operation('getBenchmarks', 'List benchmarks', 'Lists published benchmark scores of models, of one source or of all.')
  @ApiOkResponse({ description: 'The matching scores, and their source', type: BenchmarksResponse })
  @Revalidates()
  @FailsWith()
  list(@Query() query: BenchmarksRequest, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.benchmarks.list(query).send(request, response);
  }
}
