import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
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
  @ApiOperation({
    operationId: 'listIdentityProviders',
    summary: 'List identity providers',
    description: 'For the sign-in page: through which providers members sign in, and what else signs in.',
  })
  @ApiOkResponse({ type: IdentityProviderListResponse, description: 'The identity providers' })
  @FailsWith()
  list(): IdentityProviderListResponse {
    return { data: this.providers.all.map(toProviderRecord), local_sign_in: this.service.localSignIn };
  }

  @Get('status')
  @Access('management', 'identity.read')
  @ApiOperation({
    operationId: 'getIdentityStatus',
    summary: 'Get how sign-in is set up',
    description:
      "The account's identity providers as the variables describe them, whether each can be used now, and the " +
      'sign-ins that were refused last.',
  })
  @ApiOkResponse({ type: IdentityStatusResponse, description: 'Providers and refusals' })
  @FailsWith('forbidden')
  async status(@Caller() caller: Principal): Promise<IdentityStatusResponse> {
    return { data: toIdentityStatus(await this.service.status(caller)) };
  }
}
