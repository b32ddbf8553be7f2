import { Body, Controller, Delete, Get, HttpCode, Post, Put, Req, Res, UseGuards } from '@nestjs/common';
import { ApiCookieAuth, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { CalledFrom } from '../../http/edge/called-from.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { SESSION_SCHEME } from '../../kernel/console-request.js';
import type { Principal } from '../../kernel/principal.js';
import type { ConsoleSession } from '../../sessions/console-session.js';
import { ConsoleOnlyGuard } from '../../sessions/console-only.guard.js';
import { ConsoleSessions } from '../../sessions/console-sessions.js';
import { SessionCookie } from '../../sessions/session-cookie.js';
import { tokenOf } from '../../sessions/session-cookie.js';
import { CurrentSession } from '../../sessions/current-session.decorator.js';
import { ConsoleSessionService } from './console-session.service.js';
import { toSessionData } from './console-session.wire.js';
import { ConsoleSignInRequest, UpdateConsoleSessionRequest } from './dto/console-session.request.dto.js';
import { ConsoleSessionResponse, ConsoleSessionStateResponse } from './dto/console-session.response.dto.js';
import { SessionSettings } from './session-settings.js';
import { SessionViews } from './session-views.js';

const MAX_BODY_BYTES = 16_384;

/** The routes are outside /api/v1, because browsers send the cookie only to paths below /console. */
@ApiTags('Console session')
@UseGuards(ConsoleOnlyGuard)
@ReadsBody({ cap: MAX_BODY_BYTES })
@Controller('console/session')
export class ConsoleSessionController {
  constructor(
    private readonly service: ConsoleSessionService,
    private readonly settings: SessionSettings,
    private readonly sessions: ConsoleSessions,
    private readonly views: SessionViews,
    private readonly cookie: SessionCookie,
  ) {}

  @Post()
  @Access('public')
  @Operation(
    'signInToConsole',
    'Sign in to the console',
    'Opens a session with a key, an invitation, or the one-time code of a link, and sets its cookie. The ' +
      'cookie is valid only below `/console`: the operations of `/api/v1` are also at `/console/api/v1`. ' +
      'Requests that write, including this one, must have the same origin; others are refused with 403. An ' +
      'invitation makes its holder a member; 404 if it cannot be used.',
  )
  @ApiCreatedResponse({ type: ConsoleSessionResponse, description: 'The session' })
  @FailsWith('forbidden', 'not_found')
  async signIn(
    @Body() body: ConsoleSignInRequest,
    @CalledFrom() place: CallerPlace,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ConsoleSessionResponse> {
    const opened = await this.service.signIn(body, request, place);
    this.cookie.set(request, response, opened);
    return { data: toSessionData(await this.views.of(opened.session)) };
  }

  /**
   * Whether the browser sent the cookie of a session. The sign-in page calls this operation before GET
   * /console/session, because browsers log a 401 response as an error in their developer tools.
   */
  @Get('state')
  @Access('public')
  @Operation(
    'getConsoleSessionState',
    'Get whether the browser has a session cookie',
    'For the sign-in page. The session of the cookie may have ended.',
  )
  @ApiOkResponse({ type: ConsoleSessionStateResponse, description: 'Whether there is a cookie' })
  @FailsWith()
  state(@Req() request: Request): ConsoleSessionStateResponse {
    return { data: { has_cookie: tokenOf(request) !== undefined } };
  }

  @Get()
  @Access('any', 'session')
  @ApiCookieAuth(SESSION_SCHEME)
  @Operation(
    'getConsoleSession',
    'Get the session',
    'Returns the session of the cookie: the member or key that it acts as, and the limit of its calls.',
  )
  @ApiOkResponse({ type: ConsoleSessionResponse, description: 'The session' })
  @FailsWith()
  async get(@CurrentSession() session: ConsoleSession): Promise<ConsoleSessionResponse> {
    return { data: toSessionData(await this.views.of(session)) };
  }

  @Put()
  @Access('any', 'session')
  @ApiCookieAuth(SESSION_SCHEME)
  @Operation(
    'updateConsoleSession',
    'Set the workspace and the limit of the session',
    "Sets the workspace of the session's calls, and their spending limit. Returns 403 without the " +
      'management permission, 409 if a key opened the session.',
  )
  @ApiOkResponse({ type: ConsoleSessionResponse, description: 'The updated session' })
  @FailsWith('forbidden', 'conflict')
  async update(
    @Body() body: UpdateConsoleSessionRequest,
    @CurrentSession() session: ConsoleSession,
    @Caller() caller: Principal,
  ): Promise<ConsoleSessionResponse> {
    return { data: toSessionData(await this.views.of(await this.settings.update(session, body, caller))) };
  }

  @Delete()
  @Access('any', 'session')
  @HttpCode(204)
  @ApiCookieAuth(SESSION_SCHEME)
  @Operation(
    'signOutOfConsole',
    'Sign out of the console',
    'Ends the session on every replica, deletes its keys, and removes the cookie.',
  )
  @ApiNoContentResponse({ description: 'The session has ended' })
  @FailsWith('forbidden')
  async signOut(
    @CurrentSession() session: ConsoleSession,
    @Caller() by: Principal,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.sessions.end(session.id, { action: 'sign_out', by });
    this.cookie.remove(request, response);
  }
}
