import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { DeletedResponse } from '../../http/reply/deleted.response.dto.js';
import { OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import type { Principal } from '../../kernel/principal.js';
import {
  CreateOwnProviderRequest,
  SetOwnModelRequest,
  UpdateOwnProviderRequest,
} from './dto/own-provider.request.dto.js';
import {
  DiscoveredModelsResponse,
  OwnModelListResponse,
  OwnModelResponse,
  OwnProviderListResponse,
  OwnProviderResponse,
} from './dto/own-provider.response.dto.js';
import { OwnProvidersService } from './own-providers.service.js';
import { toDiscoveredModels, toModelRecord, toProviderRecord } from './own-providers.wire.js';

@ApiTags('Own providers')
@Access('operator', 'catalogue.write')
@Controller('providers')
export class OwnProvidersController {
  constructor(private readonly own: OwnProvidersService) {}

  @Get('own')
  @Operation(
    'listOwnProviders',
    'List own providers',
    "Returns the providers that the operator added while the service ran. Only for keys of the operator's " +
      'account.',
  )
  @ApiOkResponse({ type: OwnProviderListResponse, description: 'The providers, sorted by slug' })
  @FailsWith('forbidden', 'not_found')
  async list(@Query() request: OffsetPageRequest): Promise<OwnProviderListResponse> {
    const { items, total } = await this.own.list(request);
    return { data: items.map(toProviderRecord), total_count: total };
  }

  @Post()
  @Operation(
    'createOwnProvider',
    'Create an own provider',
    'Adds a provider at any compatible address. `POST /providers/credentials` stores its credentials, ' +
      'and `PUT /providers/{slug}/models/{id}` adds its models.',
  )
  @ApiCreatedResponse({ type: OwnProviderResponse, description: 'The provider' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async create(@Body() request: CreateOwnProviderRequest, @Caller() caller: Principal): Promise<OwnProviderResponse> {
    return { data: toProviderRecord(await this.own.create(request, caller)) };
  }

  @Patch(':slug')
  @Operation(
    'updateOwnProvider',
    'Update an own provider',
    'Changes only the given members, on every replica within 5 seconds. Open calls keep the address that ' +
      'they started with. `base_url` is refused while a stored credential uses the address of the ' +
      'provider, because a stored key is not sent to another address.',
  )
  @ApiOkResponse({ type: OwnProviderResponse, description: 'The updated provider' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async update(
    @Param('slug') slug: string,
    @Body() request: UpdateOwnProviderRequest,
    @Caller() caller: Principal,
  ): Promise<OwnProviderResponse> {
    return { data: toProviderRecord(await this.own.update(slug, request, caller)) };
  }

  @Delete(':slug')
  @Operation(
    'deleteOwnProvider',
    'Delete an own provider',
    'Deletes a provider and its models. Returns 409 if it has credentials. Open calls are not affected.',
  )
  @ApiOkResponse({ type: DeletedResponse, description: 'Deleted' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async remove(@Param('slug') slug: string, @Caller() caller: Principal): Promise<DeletedResponse> {
    await this.own.remove(slug, caller);
    return { deleted: true };
  }

  @Post(':slug/discover')
  @ReadsBody({ mayBeEmpty: true })
  @HttpCode(200)
  @Operation(
    'discoverOwnProviderModels',
    'List the models of a provider that needs no credential',
    'Returns the models that the provider lists, and which of them are served. Changes nothing.',
  )
  @ApiOkResponse({ type: DiscoveredModelsResponse, description: 'The models' })
  @FailsWith('forbidden', 'not_found', 'provider_failed', 'provider_timeout', 'provider_overloaded')
  async discover(@Param('slug') slug: string, @Caller() caller: Principal): Promise<DiscoveredModelsResponse> {
    return toDiscoveredModels(await this.own.discover(slug, caller));
  }

  @Get(':slug/models')
  @Operation(
    'listOwnModels',
    'List the models of an own provider',
    'Returns the current versions, including models without a price, which are not served.',
  )
  @ApiOkResponse({ type: OwnModelListResponse, description: 'The models, sorted by id' })
  @FailsWith('forbidden', 'not_found')
  async models(@Param('slug') slug: string, @Query() request: OffsetPageRequest): Promise<OwnModelListResponse> {
    const { items, total } = await this.own.models(slug, request);
    return { data: items.map(toModelRecord), total_count: total };
  }

  @Put(':slug/models/:id')
  @Operation(
    'setOwnModel',
    'Set a model of an own provider',
    'Adds the model `<slug>/<id>`, or creates its next version, on every replica within 5 seconds. Open ' +
      'calls are billed at the prices that they started with.',
  )
  @ApiOkResponse({ type: OwnModelResponse, description: 'The current version' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async setModel(
    @Param('slug') slug: string,
    @Param('id') id: string,
    @Body() request: SetOwnModelRequest,
    @Caller() caller: Principal,
  ): Promise<OwnModelResponse> {
    return { data: toModelRecord(await this.own.setModel(slug, id, request, caller)) };
  }

  @Delete(':slug/models/:id')
  @Operation(
    'deleteOwnModel',
    'Delete a model of an own provider',
    'The model is no longer served. Its versions are kept.',
  )
  @ApiOkResponse({ type: DeletedResponse, description: 'Deleted' })
  @FailsWith('forbidden', 'not_found')
  async removeModel(
    @Param('slug') slug: string,
    @Param('id') id: string,
    @Caller() caller: Principal,
  ): Promise<DeletedResponse> {
    await this.own.removeModel(slug, id, caller);
    return { deleted: true };
  }

  @Get(':slug/models/:id/versions')
  @Operation(
    'listOwnModelVersions',
    'List the versions of a model',
    'Returns all versions of a model, newest first, even if the model was deleted.',
  )
  @ApiOkResponse({ type: OwnModelListResponse, description: 'The versions' })
  @FailsWith('forbidden', 'not_found')
  async versions(
    @Param('slug') slug: string,
    @Param('id') id: string,
    @Query() request: OffsetPageRequest,
  ): Promise<OwnModelListResponse> {
    const { items, total } = await this.own.versions(slug, id, request);
    return { data: items.map(toModelRecord), total_count: total };
  }
}
