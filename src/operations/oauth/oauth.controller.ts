import { Body, Controller, Get, Header, HttpCode, Post, Req } from '@nestjs/common';
import { ApiConsumes, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { CalledFrom } from '../../http/edge/called-from.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { OAuthTokenRequest } from './dto/oauth-token.request.dto.js';
import { OAuthJwksResponse, OAuthTokenResponse } from './dto/oauth-token.response.dto.js';
import { OAuthErrors } from './oauth.errors.js';
import { OAuthService } from './oauth.service.js';
import { toTokenResponse } from './oauth.wire.js';

const MAX_BODY_BYTES = 65_536;
const FORM = 'application/x-www-form-urlencoded';

@ApiTags('OAuth')
@Access('public')
@Controller('oauth')
export class OAuthController {
  constructor(private readonly oauth: OAuthService) {}

  @Post('token')
  @HttpCode(200)
  @ReadsBody({ cap: MAX_BODY_BYTES, as: 'urlencoded' })
  @Header('cache-control', 'no-store')
  @Operation(
    'createOauthToken',
    "Exchange a workload's token for an access token",
    'Token exchange (RFC 8693): accepts a JWT that matches a federation policy, once. Returns a token ' +
      'that acts as the API key of the policy for at most 15 minutes. Errors have the format of OAuth.',
  )
  @ApiConsumes(FORM)
  @ApiOkResponse({ type: OAuthTokenResponse, description: 'The access token' })
  @OAuthErrors()
  async token(
    @Body() body: OAuthTokenRequest,
    @Req() request: Request,
    @CalledFrom() place: CallerPlace,
  ): Promise<OAuthTokenResponse> {
    return toTokenResponse(await this.oauth.exchangeToken(body, request, place));
  }

  @Get('jwks')
  @Header('cache-control', 'public, max-age=300')
  @Operation(
    'listOauthJwks',
    'List the keys that sign access tokens',
    'Returns the public keys: the current signing key, then the previous one.',
  )
  @ApiOkResponse({ type: OAuthJwksResponse, description: 'The key set (RFC 7517)' })
  @FailsWith()
  async jwks(): Promise<OAuthJwksResponse> {
    return { keys: await this.oauth.keys() };
  }
}
