import { Controller, Get, Req, Res, SetMetadata } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ACCESS_METADATA } from '../../kernel/access/access-matrix.js';
import { MetricsPage } from './metrics-page.js';

/** The route is outside the API's base path. The key guard treats it as public, because it has a token of its own. */
@ApiExcludeController()
@SetMetadata(ACCESS_METADATA, 'public')
@Controller()
export class MetricsController {
  constructor(private readonly page: MetricsPage) {}

  @Get('metrics')
  metrics(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.page.sendWithToken(request, response);
  }
}
