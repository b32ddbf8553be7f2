import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { callerSignal } from '../../http/edge/caller-signal.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { GenerationDetailsResponse } from './dto/generation-details.response.dto.js';
import { GenerationListResponse } from './dto/generations.response.dto.js';
import { ListGenerationsRequest } from './dto/generations.request.dto.js';
import { GenerationsService } from './generations.service.js';
import { toGenerationDetails, toGenerationList } from './generations.wire.js';

@ApiTags('Generations')
@Access('any', 'usage.calls')
@Controller('generations')
export class GenerationsController {
  constructor(private readonly generations: GenerationsService) {}

  @Get()
  @Operation(
    'listGenerations',
    'List calls',
    'Returns calls, newest first: for a management key all calls of the account, for any other key its own calls.',
  )
  @ApiOkResponse({ type: GenerationListResponse, description: 'A page of calls, newest first' })
  @FailsWith('not_found', 'deadline_exceeded')
  async list(
    @Query() request: ListGenerationsRequest,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GenerationListResponse> {
    const { page, names } = await this.generations.list(request, caller, callerSignal(response));
    return toGenerationList(page, names);
  }

  @Get(':id')
  @Operation(
    'getGenerationDetails',
    'Get the attempts and the price lines of a call',
    'Returns a call in detail: each attempt, the tokens by class, and the price line by line.',
  )
  @ApiOkResponse({ type: GenerationDetailsResponse, description: 'The call in detail' })
  @FailsWith('not_found')
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<GenerationDetailsResponse> {
    const { generation, names } = await this.generations.details(id, caller);
    return { data: toGenerationDetails(generation, names) };
  }
}
