import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { Revalidates } from '../../http/reply/revalidates.decorator.js';
import { ProvidersResponse } from './dto/providers.response.dto.js';
import { ProvidersService } from './providers.service.js';

@ApiTags('Providers')
@Access('any', 'catalogue.read')
@Controller('providers')
export class ProvidersController {
  constructor(private readonly providers: ProvidersService) {}

  @Get()
  @Operation('listProviders', 'List providers', 'Lists the providers of the catalogue.')
  @ApiOkResponse({ description: 'The providers of the catalogue', type: ProvidersResponse })
  @Revalidates()
  @FailsWith()
  list(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.providers.list().send(request, response);
  }
}
