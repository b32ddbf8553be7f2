import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { GenerationRequest } from './dto/generations.request.dto.js';
import { GenerationResponse } from './dto/generation.response.dto.js';
import { toGenerationData } from './generation.wire.js';
import { GenerationsService } from './generations.service.js';

@ApiTags('Generations')
@Access('any', 'usage.calls')
@Controller('generation')
export class GenerationController {
  constructor(private readonly generations: GenerationsService) {}

  @Get()
  @Operation(
    'getGeneration',
    'Get request and usage metadata of a generation',
    'Returns the cost, the provider and the duration of a call.',
  )
  @ApiOkResponse({ type: GenerationResponse, description: 'The usage and the cost of the call' })
  @FailsWith('not_found')
  async get(@Query() request: GenerationRequest, @Caller() caller: Principal): Promise<GenerationResponse> {
    const { generation, names } = await this.generations.find(request.id, caller);
    return { data: toGenerationData(generation, names) };
  }
}
