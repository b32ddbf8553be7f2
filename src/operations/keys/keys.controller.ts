import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import { CalledFrom } from '../../http/edge/called-from.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import type { Principal } from '../../kernel/principal.js';
import { CREATE_KEY_EXAMPLES } from './dto/create-key.examples.js';
import { CreateKeyRequest } from './dto/create-key.request.dto.js';
import { CreatedKeyResponse, KeyDeletedResponse, KeyListResponse, KeyResponse } from './dto/key.response.dto.js';
import { ROTATE_KEY_EXAMPLES } from './dto/key-settings.examples.js';
import { ListKeysRequest } from './dto/list-keys.request.dto.js';
import { RotateKeyRequest } from './dto/rotate-key.request.dto.js';
import { UPDATE_KEY_EXAMPLES } from './dto/update-key.examples.js';
import { UpdateKeyRequest } from './dto/update-key.request.dto.js';
import { KeysService } from './keys.service.js';
import { toKeyRecord } from './keys.wire.js';

@ApiTags('API Keys')
@Controller('keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Get()
  @Access('administration', 'keys.read')
  @ApiOperation({
    operationId: 'list',
    summary: 'List API keys',
    description: 'Returns the keys of a workspace, at most a hundred per page.',
  })
  @ApiOkResponse({ type: KeyListResponse, description: 'At most 100 keys, newest first' })
  @FailsWith('not_found')
  async list(@Query() request: ListKeysRequest, @Caller() caller: Principal): Promise<KeyListResponse> {
    return { data: (await this.keys.list(request, caller)).map(toKeyRecord) };
  }

  @Post()
  @Access('administration', 'keys.write')
  @ApiOperation({
    operationId: 'createKeys',
    summary: 'Create an API key',
    description:
      'Creates a key. Only this response contains its secret; `key` is empty if the caller supplied the ' +
      'secret (`external.api_key`). Returns 409 if a key has or had that secret.',
  })
  @ApiBody({ type: CreateKeyRequest, examples: CREATE_KEY_EXAMPLES })
  @ApiCreatedResponse({ type: CreatedKeyResponse, description: 'The key, with its secret' })
  @FailsWith('forbidden', 'conflict')
  async create(
    @Body() request: CreateKeyRequest,
    @Caller() caller: Principal,
    @CalledFrom() place: CallerPlace,
  ): Promise<CreatedKeyResponse> {
    const created = await this.keys.create(request, caller, place);
    return { data: toKeyRecord(created), key: created.secret };
  }

  @Get(':hash')
  @Access('administration', 'keys.read')
  @ApiOperation({
    operationId: 'getKey',
    summary: 'Get one API key',
    description: 'Returns the metadata and the usage of one API key.',
  })
  @ApiOkResponse({ type: KeyResponse, description: 'The key and its spend' })
  @FailsWith('not_found')
  async get(@Param('hash') hash: string, @Caller() caller: Principal): Promise<KeyResponse> {
    return { data: toKeyRecord(await this.keys.get(hash, caller)) };
  }

  @Patch(':hash')
  @Access('administration', 'keys.write')
  @ApiOperation({
    operationId: 'updateKeys',
    summary: 'Update an API key',
    description:
      'Changes only the given members. The changes take effect on every replica at once. Returns 409 if a key is ' +
      'enabled whose member is not active or has a role below the role of the key.',
  })
  @ApiBody({ type: UpdateKeyRequest, examples: UPDATE_KEY_EXAMPLES })
  @ApiOkResponse({ type: KeyResponse, description: 'The updated key' })
  @FailsWith('not_found', 'conflict')
  async update(
    @Param('hash') hash: string,
    @Body() request: UpdateKeyRequest,
    @Caller() caller: Principal,
    @CalledFrom() place: CallerPlace,
  ): Promise<KeyResponse> {
    return { data: toKeyRecord(await this.keys.update(hash, request, caller, place)) };
  }

  @Delete(':hash')
  @Access('administration', 'keys.write')
  @ApiOperation({
    operationId: 'deleteKeys',
    summary: 'Delete an API key',
    description: 'Deletes a key. It is refused at once on every replica.',
  })
  @ApiOkResponse({ type: KeyDeletedResponse, description: 'Deleted' })
  @FailsWith('not_found')
  async delete(
    @Param('hash') hash: string,
    @Caller() caller: Principal,
    @CalledFrom() place: CallerPlace,
  ): Promise<KeyDeletedResponse> {
    await this.keys.delete(hash, caller, place);
    return { deleted: true };
  }

  @Post(':hash/rotate')
  @Access('administration', 'keys.write')
  @ReadsBody({ mayBeEmpty: true })
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotateKey',
    summary: 'Rotate the secret of an API key',
    description:
      'Gives a key a new secret and a new hash. The limit, balance, settings and records stay. While ' +
      'the former secret is valid, both secrets share them. Only this response contains the new secret.',
  })
  @ApiBody({ type: RotateKeyRequest, examples: ROTATE_KEY_EXAMPLES, required: false })
  @ApiOkResponse({ type: CreatedKeyResponse, description: 'The key, with its new secret' })
  @FailsWith('not_found', 'conflict')
  async rotate(
    @Param('hash') hash: string,
    @Body() request: RotateKeyRequest,
    @Caller() caller: Principal,
    @CalledFrom() place: CallerPlace,
  ): Promise<CreatedKeyResponse> {
    const rotated = await this.keys.rotate(hash, request.grace_seconds ?? 0, caller, place);
    return { data: toKeyRecord(rotated), key: rotated.secret };
  }
}
