import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { FailsWith } from '../../http/fails-with.decorator.js';
import { Revalidates } from '../../http/revalidates.decorator.js';
import { EndpointsResponse, ModelEndpointsResponse } from './dto/model-endpoints.response.dto.js';
import { ModelResponse, ModelsCountResponse, ModelsResponse } from './dto/models.response.dto.js';
import { DocumentsQuery } from './models.parameters.js';
import { ModelsService } from './models.service.js';

@ApiTags('Models')
@Access('any')
@Controller()
export class ModelsController {
  constructor(private readonly models: ModelsService) {}

  /** Lists the models of the catalogue, filtered and sorted, as JSON or as an RSS feed. */
  @Get('models')
  @ApiOperation({ operationId: 'getModels', summary: 'List models' })
  @DocumentsQuery()
  @ApiExtraModels(ModelsResponse)
  @ApiOkResponse({
    description: 'The models, or a feed of them where use_rss is set',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(ModelsResponse) } },
      'application/rss+xml': { schema: { type: 'string' } },
    },
  })
  @Revalidates()
  @FailsWith()
  list(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.models.list(request.originalUrl, request.headers.host).send(request, response);
  }

  /** Counts the models that GET /models would list. */
  @Get('models/count')
  @ApiOperation({ operationId: 'listModelsCount', summary: 'Count models' })
  @DocumentsQuery(['output_modalities'])
  @ApiOkResponse({ description: 'How many models fit', type: ModelsCountResponse })
  @Revalidates()
  @FailsWith()
  count(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.models.count(request.originalUrl).send(request, response);
  }

  /** Lists the models that the caller's key may use: every model, as no key of this service is kept from some of them. */
  @Get('models/user')
  @ApiOperation({ operationId: 'listModelsUser', summary: 'List the models of the caller' })
  @DocumentsQuery(['output_modalities', 'offset', 'limit'])
  @ApiOkResponse({ description: 'The models', type: ModelsResponse })
  @Revalidates()
  @FailsWith()
  listOfCaller(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.models.listOfCaller(request.originalUrl).send(request, response);
  }

  /** Lists the endpoints that are known to keep nothing of what they are sent. */
  @Get('endpoints/zdr')
  @ApiOperation({ operationId: 'listEndpointsZdr', summary: 'List the endpoints of zero data retention' })
  @ApiOkResponse({ description: 'The endpoints', type: EndpointsResponse })
  @Revalidates()
  @FailsWith()
  zeroDataRetention(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.models.zeroDataRetention().send(request, response);
  }

  /** Lists the providers' endpoints of one model. */
  @Get('models/:author/:slug/endpoints')
  @ApiOperation({ operationId: 'listEndpoints', summary: 'List the endpoints of a model' })
  @ApiOkResponse({ description: 'The model with its endpoints', type: ModelEndpointsResponse })
  @Revalidates()
  @FailsWith('not_found')
  endpoints(
    @Param('author') author: string,
    @Param('slug') slug: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.models.endpoints(`${author}/${slug}`).send(request, response);
  }

  /** One model. */
  @Get('model/:author/:slug')
  @ApiOperation({ operationId: 'getModel', summary: 'Get one model' })
  @ApiOkResponse({ description: 'The model', type: ModelResponse })
  @Revalidates()
  @FailsWith('not_found')
  get(
    @Param('author') author: string,
    @Param('slug') slug: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.models.get(`${author}/${slug}`).send(request, response);
  }
}
