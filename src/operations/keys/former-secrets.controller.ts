import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import { CalledFrom } from '../../http/edge/called-from.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import type { Principal } from '../../kernel/principal.js';
import { FormerSecretsEndedResponse, FormerSecretsResponse } from './dto/former-secrets.response.dto.js';
import { FormerSecretsService } from './former-secrets.service.js';
import { toFormerSecret } from './keys.wire.js';

@ApiTags('API Keys')
@Controller('keys/:hash/former-secrets')
export class FormerSecretsController {
  constructor(private readonly secrets: FormerSecretsService) {}

  @Get()
  @Access('administration', 'keys.read')
  @ApiOperation({
    operationId: 'listFormerSecrets',
    summary: 'List the former secrets of an API key',
    description: 'Returns the secrets that rotations replaced and that are still valid, newest first.',
  })
  @ApiOkResponse({ type: FormerSecretsResponse, description: 'The former secrets, without their values' })
  @FailsWith('not_found')
  async list(@Param('hash') hash: string, @Caller() caller: Principal): Promise<FormerSecretsResponse> {
    return { data: (await this.secrets.list(hash, caller)).map(toFormerSecret) };
  }

  @Delete()
  @Access('administration', 'keys.write')
  @ApiOperation({
    operationId: 'endFormerSecrets',
    summary: 'End the former secrets of an API key',
    description: 'Former secrets are refused at once on every replica. The current secret stays valid.',
  })
  @ApiOkResponse({ type: FormerSecretsEndedResponse, description: 'The former secrets have ended' })
  @FailsWith('not_found')
  async end(
    @Param('hash') hash: string,
    @Caller() caller: Principal,
    @CalledFrom() place: CallerPlace,
  ): Promise<FormerSecretsEndedResponse> {
    return { ended: await this.secrets.end(hash, caller, place) };
  }
}
