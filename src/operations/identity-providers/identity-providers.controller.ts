import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { IdentityProviders } from '../../identity/identity-providers.js';
import type { Principal } from '../../kernel/principal.js';
import { IdentityProviderListResponse, IdentityStatusResponse } from './dto/identity-providers.response.dto.js';
import { IdentityProvidersService } from './identity-providers.service.js';
import { toIdentityStatus, toProviderRecord } from './identity-providers.wire.js';

@ApiTags('Identity providers')
@Controller('identity-providers')
export class IdentityProvidersController {
  constructor(
    private readonly service: IdentityProvidersService,
    private readonly providers: IdentityProviders,
  ) {}

  @Get()
  @Access('public')
  @Operation(
    'listIdentityProviders',
    'List identity providers',
    'For the sign-in page: the identity providers, and the other ways to sign in.',
  )
  @ApiOkResponse({ type: IdentityProviderListResponse, description: 'The identity providers' })
  @FailsWith()
  list(): IdentityProviderListResponse {
    return { data: this.providers.all.map(toProviderRecord), local_sign_in: this.service.localSignIn };
  }

  @Get('status')
  @Access('management', 'identity.read')
  @Operation(
    'getIdentityStatus',
    'Get the configuration of sign-in',
    'Returns the identity providers of the account as environment variables configure them, whether each can be ' +
      'used now, and the latest refused sign-ins.',
  )
  @ApiOkResponse({ type: IdentityStatusResponse, description: 'The providers and the refused sign-ins' })
  @FailsWith('forbidden')
  async status(@Caller() caller: Principal): Promise<IdentityStatusResponse> {
    return { data: toIdentityStatus(await this.service.status(caller)) };
  }
}
