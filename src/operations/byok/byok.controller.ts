import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { Config } from '../../config/config.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { UserAgent } from '../../http/edge/user-agent.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { DeletedResponse } from '../../http/reply/deleted.response.dto.js';
import { dialectFor } from '../../kernel/dialect.js';
import type { Principal } from '../../kernel/principal.js';
import type { ProviderCredential } from '../../secrets/provider-credential.js';
import { ByokService } from './byok.service.js';
import { toByokRecord } from './byok.wire.js';
import { CreateByokRequest, UpdateByokRequest } from './dto/byok.request.dto.js';
import { ByokListResponse, type ByokRecord, ByokResponse } from './dto/byok.response.dto.js';
import { ListByokRequest } from './dto/list-byok.request.dto.js';

const ID = { name: 'id', schema: { type: 'string', format: 'uuid' } } as const;

@ApiTags('BYOK')
@Controller('byok')
export class ByokController {
  constructor(
    private readonly byok: ByokService,
    private readonly config: Config,
  ) {}

  @Get()
  @Access('byok-read', 'byok.read')
  @Operation(
    'listBYOKKeys',
    'List provider credentials',
    'Returns the provider credentials that serve a workspace, without their secrets.',
  )
  @ApiOkResponse({ type: ByokListResponse, description: 'The credentials, in the order of use' })
  @FailsWith('not_found')
  async list(
    @Query() request: ListByokRequest,
    @Caller() caller: Principal,
    @UserAgent() agent?: string,
  ): Promise<ByokListResponse> {
    const { items, total } = await this.byok.list(request, caller);
    return { data: items.map((item) => this.#record(item, agent)), total_count: total };
  }

  @Post()
  @Access('management', 'byok.write')
  @Operation(
    'createBYOKKey',
    'Create a provider credential',
    "Encrypts and stores a credential of your own. From the next call on, it is used before the platform's " +
      'credentials. If `workspace_id` is null, it serves every workspace of the account.',
  )
  @ApiCreatedResponse({ type: ByokResponse, description: 'The credential, without its secret' })
  @FailsWith('forbidden')
  async create(
    @Body() request: CreateByokRequest,
    @Caller() caller: Principal,
    @UserAgent() agent?: string,
  ): Promise<ByokResponse> {
    return { data: this.#record(await this.byok.create(request, caller), agent) };
  }

  @Get(':id')
  @Access('byok-read', 'byok.read')
  @Operation('getBYOKKey', 'Get a provider credential', 'Returns one provider credential, without its secret.')
  @ApiParam(ID)
  @ApiOkResponse({ type: ByokResponse, description: 'The credential' })
  @FailsWith('not_found')
  async get(@Param('id') id: string, @Caller() caller: Principal, @UserAgent() agent?: string): Promise<ByokResponse> {
    return { data: this.#record(await this.byok.get(id, caller), agent) };
  }

  @Patch(':id')
  @Access('administration', 'byok.write')
  @Operation(
    'updateBYOKKey',
    'Update a provider credential',
    'Changes only the given members. With `key`, a new secret replaces the old one.',
  )
  @ApiParam(ID)
  @ApiOkResponse({ type: ByokResponse, description: 'The updated credential' })
  @FailsWith('not_found')
  async update(
    @Param('id') id: string,
    @Body() request: UpdateByokRequest,
    @Caller() caller: Principal,
    @UserAgent() agent?: string,
  ): Promise<ByokResponse> {
    return { data: this.#record(await this.byok.update(id, request, caller), agent) };
  }

  @Delete(':id')
  @Access('administration', 'byok.write')
  @Operation('deleteBYOKKey', 'Delete a provider credential', 'Deletes the credential with its secret.')
  @ApiParam(ID)
  @ApiOkResponse({ type: DeletedResponse, description: 'Deleted' })
  @FailsWith('not_found')
  async delete(@Param('id') id: string, @Caller() caller: Principal): Promise<DeletedResponse> {
    await this.byok.delete(id, caller);
    return { deleted: true };
  }

  #record(credential: ProviderCredential, userAgent: string | undefined): ByokRecord {
    return toByokRecord(credential, dialectFor(this.config.values.WIRE_DIALECT, userAgent));
  }
}
