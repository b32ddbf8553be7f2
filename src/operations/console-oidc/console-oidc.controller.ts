import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { CalledFrom } from '../../http/edge/called-from.decorator.js';
import { FailsWith, FailsWithPage } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { BackChannelLogout } from '../../identity/back-channel-logout.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { AcceptsServers } from '../../sessions/accepts-servers.decorator.js';
import { ConsoleOnlyGuard } from '../../sessions/console-only.guard.js';
import { ConsoleOidcService } from './console-oidc.service.js';
import { BackChannelLogoutRequest, StartSignInRequest } from './dto/console-oidc.request.dto.js';
import { StartSignInResponse } from './dto/console-oidc.response.dto.js';
import { SignInPageFilter } from './sign-in-page.filter.js';

const MAX_BODY_BYTES = 32_768;
const SEE_OTHER = 303;

/**
 * The routes that browsers open before and after a sign-in at an identity provider, and the logout route that the
 * provider calls. Errors are HTML pages, except on POST routes.
 */
@ApiTags('Console session')
@Access('public')
@UseGuards(ConsoleOnlyGuard)
@ReadsBody({ cap: MAX_BODY_BYTES })
@Controller('console/oidc/:provider')
export class ConsoleOidcController {
  constructor(
    private readonly service: ConsoleOidcService,
    private readonly logout: BackChannelLogout,
  ) {}

  @Get('start')
  @UseFilters(SignInPageFilter)
  @Operation(
    'startSignIn',
    'Start a sign-in',
    'Redirects a browser to the identity provider, and sets the cookie of the attempt, which lasts ten ' +
      'minutes. Errors are HTML pages. Returns 403 for a cross-site request.',
  )
  @ApiQuery({ name: 'return_to', required: false, type: String, description: 'A page of the console' })
  @ApiResponse({ status: SEE_OTHER, description: 'To the identity provider' })
  @FailsWithPage('forbidden', 'not_found')
  async start(
    @Param('provider') provider: string,
    @Query('return_to') returnTo: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    response.redirect(SEE_OTHER, await this.service.start({ provider, request, response }, returnTo));
  }

  @Post('start')
  @HttpCode(200)
  @Operation(
    'startSignInWithInvitation',
    'Start a sign-in with an invitation',
    'Returns the address of the identity provider. The page opens it, so that no URL contains the token ' +
      'of the invitation.',
  )
  @ApiOkResponse({ type: StartSignInResponse, description: 'The address to open' })
  @FailsWith('forbidden', 'not_found')
  async startWithInvitation(
    @Param('provider') provider: string,
    @Body() body: StartSignInRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StartSignInResponse> {
    return { url: await this.service.startInvited({ provider, request, response }, body) };
  }

  @Get('callback')
  @UseFilters(SignInPageFilter)
  @Operation(
    'completeSignIn',
    'Complete a sign-in',
    'The address to which the identity provider redirects. Opens a session, or links the identity to the ' +
      'user whose session started the attempt. Errors are HTML pages.',
  )
  @ApiResponse({ status: SEE_OTHER, description: 'To the page of the console, with the cookie of the session' })
  @FailsWithPage('forbidden', 'not_found', 'conflict')
  async complete(
    @Param('provider') provider: string,
    @CalledFrom() place: CallerPlace,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    response.redirect(SEE_OTHER, await this.service.complete({ provider, request, response }, place));
  }

  @Post('backchannel')
  @AcceptsServers()
  @ReadsBody({ cap: MAX_BODY_BYTES, as: 'urlencoded' })
  @HttpCode(200)
  @Operation(
    'endSessionsOfIdentity',
    'End sessions at the request of the identity provider',
    'OpenID Connect Back-Channel Logout 1.0, called by the identity provider.',
  )
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiBody({ type: BackChannelLogoutRequest })
  @ApiOkResponse({ description: 'The sessions have ended' })
  @FailsWith('not_found')
  async end(
    @Param('provider') provider: string,
    @Body() body: BackChannelLogoutRequest,
    @CalledFrom() place: CallerPlace,
  ): Promise<void> {
    await this.logout.end(provider, body.logout_token, place);
  }
}
