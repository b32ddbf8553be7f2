import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { KeyHeader } from '../../auth/key-header.decorator.js';
import { Config } from '../../config/config.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { Revalidates } from '../../http/reply/revalidates.decorator.js';
import type { Dialect } from '../../kernel/dialect.js';
import type { Principal } from '../../kernel/principal.js';
import { MESSAGES_VERSION_HEADER } from '../../kernel/wire-names.js';
import { MessagesModelsResponse } from './dto/messages-models.response.dto.js';
import { EndpointsResponse, ModelEndpointsResponse } from './dto/model-endpoints.response.dto.js';
import {
  CountedModelsResponse,
  ModelRecord,
  ModelResponse,
  ModelsCountResponse,
  ModelsResponse,
} from './dto/models.response.dto.js';
import { DocumentsQuery } from './models.parameters.js';
import { ModelsService } from './models.service.js';

@ApiTags('Models')
@Access('any', 'catalogue.read')
@Controller()
export class ModelsController {
  readonly #dialect: Dialect;

  constructor(
    private readonly models: ModelsService,
    config: Config,
  ) {
    this.#dialect = config.values.WIRE_DIALECT;
  }

  @Get('models')
  @Operation(
    'getModels',
    'List models',
    'Lists the models of the catalogue, filtered and sorted, as JSON or as an RSS feed. With the header ' +
      '`anthropic-version` the list has the form that clients of `/messages` read, with `limit`, `after_id` and ' +
      '`before_id`.',
  )
  @DocumentsQuery()
  @ApiHeader({ name: MESSAGES_VERSION_HEADER, required: false, description: 'Sent by clients of `/messages`' })
  @KeyHeader('x-api-key')
  @ApiExtraModels(MessagesModelsResponse, ModelsResponse)
  @ApiOkResponse({
    description: 'The models, or an RSS feed of them if use_rss is set',
    content: {
      'application/json': {
        schema: {
          oneOf: [{ $ref: getSchemaPath(ModelsResponse) }, { $ref: getSchemaPath(MessagesModelsResponse) }],
        },
      },
      'application/rss+xml': { schema: { type: 'string' } },
    },
  })
  @Revalidates()
  @FailsWith()
  list(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.vary(MESSAGES_VERSION_HEADER);
    const list =
      request.headers[MESSAGES_VERSION_HEADER] === undefined
        ? this.models.list(request.originalUrl, request.headers.host, this.#dialect)
        : this.models.listForMessages(request.originalUrl);
    return list.send(request, response);
  }

  @Get('models/count')
  @Operation('listModelsCount', 'Count models', 'Returns the number of models that GET /models would list.')
  @DocumentsQuery(['output_modalities'])
  @ApiOkResponse({ description: 'The number of matching models', type: ModelsCountResponse })
  @Revalidates()
  @FailsWith()
  count(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.models.count(request.originalUrl).send(request, response);
  }

  @Get('models/user')
  @Operation(
    'listModelsUser',
    'List the models that the caller can call',
    "Lists the models that the caller's key can call now: built-in models, models of the platform's " +
      "credentials, and models of the workspace's own credentials that the key may use. Includes all " +
      'modalities, unless output_modalities is set.',
  )
  @DocumentsQuery(['output_modalities', 'offset', 'limit'])
  @ApiOkResponse({ description: 'The models', type: CountedModelsResponse })
  @Revalidates()
  @FailsWith()
  async listOfCaller(@Caller() caller: Principal, @Req() request: Request, @Res() response: Response): Promise<void> {
    const list = await this.models.listOfCaller(request.originalUrl, caller, this.#dialect);
    return list.send(request, response);
  }

  @Get('embeddings/models')
  @ApiTags('Embeddings')
  @Operation(
    'listEmbeddingsModels',
    'List embeddings models',
    'Lists the models that turn text into vectors, in the form of GET /models.',
  )
  @DocumentsQuery(['offset', 'limit'])
  @ApiOkResponse({ description: 'The embeddings models', type: CountedModelsResponse })
  @Revalidates()
  @FailsWith()
  listEmbeddings(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.models.listEmbeddings(request.originalUrl, this.#dialect).send(request, response);
  }

  @Get('endpoints/zdr')
  @Operation(
    'listEndpointsZdr',
    'List the endpoints with zero data retention',
    'Lists the endpoints that are known to store no data of a request.',
  )
  @ApiOkResponse({ description: 'The endpoints', type: EndpointsResponse })
  @Revalidates()
  @FailsWith()
  zeroDataRetention(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.models.zeroDataRetention().send(request, response);
  }

  @Get('models/:author/:slug/endpoints')
  @Operation('listEndpoints', 'List the endpoints of a model', "Lists the providers' endpoints of one model.")
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

  @Get('models/:id')
  @Operation(
    'retrieveModel',
    'Get one model by its id',
    'Returns one model as a bare record, the format of OpenAI clients, which encode the slash in the id.',
  )
  @ApiOkResponse({ description: 'The model', type: ModelRecord })
  @Revalidates()
  @FailsWith('not_found')
  retrieve(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.models.retrieve(id, this.#dialect).send(request, response);
  }

  @Get('models/:author/:slug')
  @Operation(
    'retrieveModelBySlug',
    'Get one model by its author and slug',
    'Returns one model. For clients that do not encode the slash in the id.',
  )
  @ApiOkResponse({ description: 'The model', type: ModelRecord })
  @Revalidates()
  @FailsWith('not_found')
  retrieveBySlug(
    @Param('author') author: string,
    @Param('slug') slug: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.models.retrieve(`${author}/${slug}`, this.#dialect).send(request, response);
  }

  @Get('model/:author/:slug')
  @Operation('getModel', 'Get one model', 'Returns one model by its author and slug.')
  @ApiOkResponse({ description: 'The model', type: ModelResponse })
  @Revalidates()
  @FailsWith('not_found')
  get(
    @Param('author') author: string,
    @Param('slug') slug: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.models.get(`${author}/${slug}`, this.#dialect).send(request, response);
  }
}
