import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { Revalidates } from '../../http/reply/revalidates.decorator.js';
import { ImageModelEndpointsResponse, ImageModelsResponse } from './dto/image-models.response.dto.js';
import { ImageModelsService } from './image-models.service.js';

@ApiTags('Images')
@Access('any', 'catalogue.read')
@Controller('images/models')
export class ImageModelsController {
  constructor(private readonly imageModels: ImageModelsService) {}

  @Get()
  @Operation('listImageModels', 'List image models', 'Lists the models that generate images.')
  @ApiOkResponse({ description: 'The image models', type: ImageModelsResponse })
  @Revalidates()
  @FailsWith()
  list(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.imageModels.list().send(request, response);
  }

  @Get(':author/:slug/endpoints')
  @Operation(
    'listImageModelEndpoints',
    'List the endpoints of an image model',
    "Lists the providers' endpoints of one image model.",
  )
  @ApiOkResponse({ description: 'The endpoints of the image model', type: ImageModelEndpointsResponse })
  @Revalidates()
  @FailsWith('not_found')
  endpoints(
    @Param('author') author: string,
    @Param('slug') slug: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.imageModels.endpoints(`${author}/${slug}`).send(request, response);
  }
}
