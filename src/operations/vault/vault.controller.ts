import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, UseGuards } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { GroupBodyReaderGuard } from '../../http/body/body-reader.guard.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { CopySecretsRequest, ListSecretsRequest, SecretPath, StoreSecretRequest } from './dto/vault.request.dto.js';
import {
  CopiedSecretsResponse,
  EffectiveSecretsResponse,
  SecretListResponse,
  StoredSecretResponse,
} from './dto/vault.response.dto.js';
import { VaultGuard, WritesVault } from './vault.guard.js';
import { VaultService } from './vault.service.js';
import { toEffectiveSecret, toSecret, toSecretList } from './vault.wire.js';

const BODY = { cap: 425_000, afterGroupGuards: true } as const;

@ApiTags('Vault')
@Access('interns', 'vault')
@UseGuards(VaultGuard, GroupBodyReaderGuard)
@FailsWith('forbidden', 'not_found')
@Controller('vault')
export class VaultController {
  constructor(private readonly vault: VaultService) {}

  @Get('secrets')
  @Access('own-intern', 'vault')
  @Operation(
    'listVaultSecrets',
    'List workspace secrets',
    "Returns the secrets of the key's workspace; for an intern's own key, the secrets of its own vault.",
  )
  @ApiOkResponse({ type: SecretListResponse, description: 'A page of secrets without their values, sorted by name' })
  async list(@Query() request: ListSecretsRequest, @Caller() caller: Principal): Promise<SecretListResponse> {
    return toSecretList(await this.vault.list(null, request, caller));
  }

  @Put('secrets/:name')
  @WritesVault()
  @ReadsBody(BODY)
  @Operation('storeVaultSecret', 'Store a workspace secret', "Creates or replaces a secret of the key's workspace.")
  @ApiOkResponse({ type: StoredSecretResponse, description: 'The stored secret, without its value' })
  async store(
    @Param() { name }: SecretPath,
    @Body() request: StoreSecretRequest,
    @Caller() caller: Principal,
  ): Promise<StoredSecretResponse> {
    return { data: toSecret(await this.vault.store(null, name, request, caller)) };
  }

  @Delete('secrets/:name')
  @HttpCode(204)
  @WritesVault()
  @ReadsBody(BODY)
  @Operation(
    'deleteVaultSecret',
    'Delete a workspace secret',
    'Deletes a secret of the workspace. From then on, it is not released to any request.',
  )
  @ApiNoContentResponse({ description: 'Deleted' })
  async delete(@Param() { name }: SecretPath, @Caller() caller: Principal): Promise<void> {
    await this.vault.delete(null, name, caller);
  }

  @Get('interns/:id/secrets')
  @Access('own-intern', 'vault')
  @Operation('listInternVaultSecrets', 'List intern secrets', 'Returns the secrets in the vault of one intern.')
  @ApiOkResponse({ type: SecretListResponse, description: 'A page of secrets without their values, sorted by name' })
  async listOfIntern(
    @Param('id') id: string,
    @Query() request: ListSecretsRequest,
    @Caller() caller: Principal,
  ): Promise<SecretListResponse> {
    return toSecretList(await this.vault.list(id, request, caller));
  }

  @Get('interns/:id/secrets/effective')
  @Access('own-intern', 'vault')
  @Operation(
    'listEffectiveVaultSecrets',
    'List the secrets an intern receives',
    'Returns the secrets that the intern receives, one per name. Its own secret takes precedence over a ' +
      'secret of a borrowed vault, which takes precedence over a secret of the workspace.',
  )
  @ApiOkResponse({ type: EffectiveSecretsResponse, description: 'One entry per name' })
  async effective(@Param('id') id: string, @Caller() caller: Principal): Promise<EffectiveSecretsResponse> {
    return { data: (await this.vault.effective(id, caller)).map(toEffectiveSecret) };
  }

  @Put('interns/:id/secrets/:name')
  @WritesVault()
  @ReadsBody(BODY)
  @Operation('storeInternVaultSecret', 'Store an intern secret', 'Creates or replaces a secret of one intern.')
  @ApiOkResponse({ type: StoredSecretResponse, description: 'The stored secret, without its value' })
  async storeOfIntern(
    @Param('id') id: string,
    @Param() { name }: SecretPath,
    @Body() request: StoreSecretRequest,
    @Caller() caller: Principal,
  ): Promise<StoredSecretResponse> {
    return { data: toSecret(await this.vault.store(id, name, request, caller)) };
  }

  @Delete('interns/:id/secrets/:name')
  @HttpCode(204)
  @WritesVault()
  @ReadsBody(BODY)
  @Operation(
    'deleteInternVaultSecret',
    'Delete an intern secret',
    'Deletes a secret of one intern. From then on, it is not released to any request.',
  )
  @ApiNoContentResponse({ description: 'Deleted' })
  async deleteOfIntern(
    @Param('id') id: string,
    @Param() { name }: SecretPath,
    @Caller() caller: Principal,
  ): Promise<void> {
    await this.vault.delete(id, name, caller);
  }

  @Post('interns/:id/secrets/copy')
  @HttpCode(200)
  @WritesVault()
  @ReadsBody(BODY)
  @Operation(
    'copyVaultSecretsToIntern',
    'Copy workspace secrets to an intern',
    "Copies workspace secrets into the intern's vault. Either all are copied, or none.",
  )
  @ApiOkResponse({ type: CopiedSecretsResponse, description: 'The copies, in the order of the names' })
  async copy(
    @Param('id') id: string,
    @Body() { names }: CopySecretsRequest,
    @Caller() caller: Principal,
  ): Promise<CopiedSecretsResponse> {
    return { data: (await this.vault.copy(id, names, caller)).map(toSecret) };
  }
}
