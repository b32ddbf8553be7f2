import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { DeletedResponse } from '../../http/reply/deleted.response.dto.js';
import type { Principal } from '../../kernel/principal.js';
import { ChannelsService } from './channels.service.js';
import { toChannelRecord, toModelsResponse, toTestResponse } from './channels.wire.js';
import {
  CreateChannelRequest,
  ListChannelsRequest,
  TestChannelRequest,
  UpdateChannelRequest,
} from './dto/channel.request.dto.js';
import {
  ChannelListResponse,
  ChannelModelsResponse,
  ChannelResponse,
  ChannelTestResponse,
} from './dto/channel.response.dto.js';

@ApiTags('Platform credentials')
@Controller('providers/credentials')
export class ChannelsController {
  constructor(private readonly channels: ChannelsService) {}

  @Get()
  @Access('operator', 'channels.read')
  @Operation(
    'listPlatformCredentials',
    'List platform credentials',
    'Returns the credentials with which this service calls providers, without their secrets. Only for ' +
      "keys of the operator's account.",
  )
  @ApiOkResponse({ type: ChannelListResponse, description: 'The credentials, sorted by provider' })
  @FailsWith('forbidden', 'not_found')
  async list(@Query() request: ListChannelsRequest): Promise<ChannelListResponse> {
    const { items, total } = await this.channels.list(request);
    return { data: items.map(toChannelRecord), total_count: total };
  }

  @Post()
  @Access('operator', 'channels.write')
  @Operation(
    'createPlatformCredential',
    'Create a platform credential',
    'Encrypts and stores a credential for a provider. Every replica uses it within 5 seconds.',
  )
  @ApiCreatedResponse({ type: ChannelResponse, description: 'The credential, without its secrets' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async create(@Body() request: CreateChannelRequest, @Caller() caller: Principal): Promise<ChannelResponse> {
    return { data: toChannelRecord(await this.channels.create(request, caller)) };
  }

  @Get(':id')
  @Access('operator', 'channels.read')
  @Operation('getPlatformCredential', 'Get a platform credential', 'Returns one credential, without its secrets.')
  @ApiOkResponse({ type: ChannelResponse, description: 'The credential' })
  @FailsWith('forbidden', 'not_found')
  async get(@Param('id') id: string): Promise<ChannelResponse> {
    return { data: toChannelRecord(await this.channels.get(id)) };
  }

  @Patch(':id')
  @Access('operator', 'channels.write')
  @Operation(
    'updatePlatformCredential',
    'Update a platform credential',
    'Changes only the given members. Resets the state of the credential, such as refused or exhausted.',
  )
  @ApiOkResponse({ type: ChannelResponse, description: 'The updated credential' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async update(
    @Param('id') id: string,
    @Body() request: UpdateChannelRequest,
    @Caller() caller: Principal,
  ): Promise<ChannelResponse> {
    return { data: toChannelRecord(await this.channels.update(id, request, caller)) };
  }

  @Delete(':id')
  @Access('operator', 'channels.write')
  @Operation('deletePlatformCredential', 'Delete a platform credential', 'Deletes the credential with its secrets.')
  @ApiOkResponse({ type: DeletedResponse, description: 'Deleted' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async delete(@Param('id') id: string, @Caller() caller: Principal): Promise<DeletedResponse> {
    await this.channels.delete(id, caller);
    return { deleted: true };
  }

  @Post(':id/test')
  @Access('operator', 'channels.write')
  @HttpCode(200)
  @Operation(
    'testPlatformCredential',
    'Test a platform credential',
    "Reads the vendor's list of models, or calls one model. The status is always 200, independent of the " +
      "vendor's response. If the test succeeds, a refused or exhausted credential is ready again on every " +
      'replica. If the vendor responds with 401, 402 or 403, the credential becomes refused or exhausted, ' +
      'as with a call.',
  )
  @ApiOkResponse({ type: ChannelTestResponse, description: 'The response of the vendor' })
  @FailsWith('forbidden', 'not_found')
  async test(
    @Param('id') id: string,
    @Body() request: TestChannelRequest,
    @Caller() caller: Principal,
  ): Promise<ChannelTestResponse> {
    return toTestResponse(await this.channels.test(id, request, caller));
  }

  @Post(':id/discover')
  @ReadsBody({ mayBeEmpty: true })
  @Access('operator', 'channels.read')
  @HttpCode(200)
  @Operation(
    'discoverPlatformCredentialModels',
    'List the models of a platform credential',
    'Returns the models that the vendor lists for the credential, and which of them are served. Changes nothing.',
  )
  @ApiOkResponse({ type: ChannelModelsResponse, description: 'The models' })
  @FailsWith('forbidden', 'not_found', 'provider_failed', 'provider_timeout', 'provider_overloaded')
  async discover(@Param('id') id: string, @Caller() caller: Principal): Promise<ChannelModelsResponse> {
    return toModelsResponse(await this.channels.discover(id, caller));
  }
}
