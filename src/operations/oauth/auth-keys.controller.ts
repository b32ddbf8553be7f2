import { Body, Controller, Get, Header, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { CONSOLE_PATH } from '../../http/console/console-edge.js';
import { CalledFrom } from '../../http/edge/called-from.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import type { Principal } from '../../kernel/principal.js';
import { CreateAuthCodeRequest, ExchangeAuthCodeRequest } from './dto/auth-code.request.dto.js';
import { AuthCodeResponse, AuthKeyResponse } from './dto/auth-code.response.dto.js';
import { OAuthService } from './oauth.service.js';
import { toAuthCodeRecord, toAuthKey } from './oauth.wire.js';

const MAX_BODY_BYTES = 16_384;

@ApiTags('OAuth')
@ReadsBody({ cap: MAX_BODY_BYTES })
@Controller('auth')
export class AuthKeysController {
  constructor(private readonly oauth: OAuthService) {}

  /**
   * This route is outside /api/v1. Applications send a member's browser to it, and it redirects the browser to the
   * console, which asks the member for approval.
   */
  @Get()
  @Access('public')
  @Header('cache-control', 'no-store')
  @Header('referrer-policy', 'no-referrer')
  @ApiExcludeEndpoint()
  authorize(@Req() request: Request, @Res() response: Response): void {
    const [, query = ''] = request.originalUrl.split(/\?(.*)/s);
    response.redirect(303, `${CONSOLE_PATH}/authorize?${query}`);
  }

  @Post('keys/code')
  @HttpCode(200)
  @Access('administration', 'keys.write')
  @Header('cache-control', 'no-store')
  @Operation(
    'createAuthKeysCode',
    'Create an authorization code',
    'Approves an application, and returns an authorization code. The application exchanges the code ' +
      'within 10 minutes for a standard key of the caller, with the limit in this request. Without a ' +
      'code_challenge with S256, the callback must be https.',
  )
  @ApiOkResponse({ type: AuthCodeResponse, description: 'The authorization code' })
  @FailsWith('forbidden', 'conflict')
  async createCode(@Body() request: CreateAuthCodeRequest, @Caller() caller: Principal): Promise<AuthCodeResponse> {
    return { data: toAuthCodeRecord(await this.oauth.createCode(request, caller)) };
  }

  @Post('keys')
  @HttpCode(200)
  @Access('public')
  @Header('cache-control', 'no-store')
  @Operation(
    'exchangeAuthCodeForAPIKey',
    'Exchange an authorization code for an API key',
    'Creates the key for an authorization code. A code can be used once. A second use is refused, and ' +
      'disables the key that the first use created.',
  )
  @ApiOkResponse({ type: AuthKeyResponse, description: 'The key, with its secret' })
  @FailsWith('forbidden')
  async exchange(
    @Body() body: ExchangeAuthCodeRequest,
    @Req() request: Request,
    @CalledFrom() place: CallerPlace,
  ): Promise<AuthKeyResponse> {
    return toAuthKey(await this.oauth.exchangeCode(body, request, place));
  }
}
