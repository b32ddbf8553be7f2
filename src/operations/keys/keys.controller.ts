import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { DeletedResponse } from '../../http/reply/deleted.response.dto.js';
import type { Principal } from '../../kernel/principal.js';
import { CurrentKeyResponse } from './dto/current-key.response.dto.js';
import { FormerSecretsEndedResponse, FormerSecretsResponse } from './dto/former-secrets.response.dto.js';
import { CreatedKeyResponse, KeyListResponse, KeyResponse } from './dto/key.response.dto.js';
import { CreateKeyRequest, ListKeysRequest, RotateKeyRequest, UpdateKeyRequest } from './dto/keys.request.dto.js';
import { KeysService } from './keys.service.js';
import { toCurrentKey, toFormerSecret, toKeyRecord } from './keys.wire.js';

@ApiTags('API Keys')
@Controller()
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Get('keys')
  @Access('administration', 'keys.read')
  @Operation('list', 'List API keys', 'Returns the keys of a workspace, at most a hundred per page.')
  @ApiOkResponse({ type: KeyListResponse, description: 'At most 100 keys, newest first' })
  @FailsWith('not_found')
  async list(@Query() request: ListKeysRequest, @Caller() caller: Principal): Promise<KeyListResponse> {
    return { data: (await this.keys.list(request, caller)).map(toKeyRecord) };
  }

  @Post('keys')
  @Access('administration', 'keys.write')
  @Operation(
    'createKeys',
    'Create an API key',
    'Creates a key. Only this response contains its secret; `key` is empty if the caller supplied the ' +
      'secret (`external.api_key`). Returns 409 if a key has or had that secret.',
  )
  @ApiCreatedResponse({ type: CreatedKeyResponse, description: 'The key, with its secret' })
  @FailsWith('forbidden', 'conflict')
  async create(@Body() request: CreateKeyRequest, @Caller() caller: Principal): Promise<CreatedKeyResponse> {
    const created = await this.keys.create(request, caller);
    return { data: toKeyRecord(created), key: created.secret };
  }

  @Get('keys/:hash')
  @Access('administration', 'keys.read')
  @Operation('getKey', 'Get one API key', 'Returns the metadata and the usage of one API key.')
  @ApiOkResponse({ type: KeyResponse, description: 'The key and its spend' })
  @FailsWith('not_found')
  async get(@Param('hash') hash: string, @Caller() caller: Principal): Promise<KeyResponse> {
    return { data: toKeyRecord(await this.keys.get(hash, caller)) };
  }

  @Patch('keys/:hash')
  @Access('administration', 'keys.write')
  @Operation(
    'updateKeys',
    'Update an API key',
    'Changes only the given members. The changes take effect on every replica at once. Returns 409 if a key is ' +
      'enabled whose member is not active or has a role below the role of the key.',
  )
  @ApiOkResponse({ type: KeyResponse, description: 'The updated key' })
  @FailsWith('not_found', 'conflict')
  async update(
    @Param('hash') hash: string,
    @Body() request: UpdateKeyRequest,
    @Caller() caller: Principal,
  ): Promise<KeyResponse> {
    return { data: toKeyRecord(await this.keys.update(hash, request, caller)) };
  }

  @Delete('keys/:hash')
  @Access('administration', 'keys.write')
  @Operation('deleteKeys', 'Delete an API key', 'Deletes a key. It is refused at once on every replica.')
  @ApiOkResponse({ type: DeletedResponse, description: 'Deleted' })
  @FailsWith('not_found')
  async delete(@Param('hash') hash: string, @Caller() caller: Principal): Promise<DeletedResponse> {
    await this.keys.delete(hash, caller);
    return { deleted: true };
  }

  @Post('keys/:hash/rotate')
  @Access('administration', 'keys.write')
  @ReadsBody({ mayBeEmpty: true })
  @HttpCode(200)
  @Operation(
    'rotateKey',
    'Rotate the secret of an API key',
    'Gives a key a new secret and a new hash. The limit, balance, settings and records stay. While ' +
      'the former secret is valid, both secrets share them. Only this response contains the new secret.',
  )
  @ApiBody({ type: RotateKeyRequest, required: false })
  @ApiOkResponse({ type: CreatedKeyResponse, description: 'The key, with its new secret' })
  @FailsWith('not_found', 'conflict')
  async rotate(
    @Param('hash') hash: string,
    @Body() request: RotateKeyRequest,
    @Caller() caller: Principal,
  ): Promise<CreatedKeyResponse> {
    const rotated = await this.keys.rotate(hash, request.grace_seconds ?? 0, caller);
    return { data: toKeyRecord(rotated), key: rotated.secret };
  }

  @Get('keys/:hash/former-secrets')
  @Access('administration', 'keys.read')
  @Operation(
    'listFormerSecrets',
    'List the former secrets of an API key',
    'Returns the secrets that rotations replaced and that are still valid, newest first.',
  )
  @ApiOkResponse({ type: FormerSecretsResponse, description: 'The former secrets, without their values' })
  @FailsWith('not_found')
  async formerSecrets(@Param('hash') hash: string, @Caller() caller: Principal): Promise<FormerSecretsResponse> {
    return { data: (await this.keys.formerSecrets(hash, caller)).map(toFormerSecret) };
  }

  @Delete('keys/:hash/former-secrets')
  @Access('administration', 'keys.write')
  @Operation(
    'endFormerSecrets',
    'End the former secrets of an API key',
    'Former secrets are refused at once on every replica. The current secret stays valid.',
  )
  @ApiOkResponse({ type: FormerSecretsEndedResponse, description: 'The former secrets have ended' })
  @FailsWith('not_found')
  async endFormerSecrets(
    @Param('hash') hash: string,
    @Caller() caller: Principal,
  ): Promise<FormerSecretsEndedResponse> {
    return { ended: await this.keys.endFormerSecrets(hash, caller) };
  }

  @Get('key')
  @Access('any', 'catalogue.read')
  @Operation('getCurrentKey', 'Get current API key', 'Returns the record of the calling key. For all classes of keys.')
  @ApiOkResponse({ type: CurrentKeyResponse, description: 'The calling key and its spend' })
  @FailsWith()
  async getCurrent(@Caller() caller: Principal): Promise<CurrentKeyResponse> {
    return { data: toCurrentKey(await this.keys.own(caller), caller) };
  }
}
