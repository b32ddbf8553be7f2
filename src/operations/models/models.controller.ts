import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { FailsWith } from '../../http/fails-with.decorator.js';
import { ModelsResponse } from './dto/models.response.dto.js';
import { ModelsService } from './models.service.js';
import { toModelRecord } from './models.wire.js';

@ApiTags('Models')
@Access('any')
@Controller('models')
export class ModelsController {
  constructor(private readonly models: ModelsService) {}

  /** Lists the models of the catalogue. */
  @Get()
  @ApiOperation({ operationId: 'getModels', summary: 'List models' })
  @ApiOkResponse({ type: ModelsResponse, description: 'The models of the catalogue, newest first' })
  @FailsWith()
  list(): ModelsResponse {
    return { data: this.models.list().map(toModelRecord) };
  }
}
