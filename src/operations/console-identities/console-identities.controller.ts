import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiCookieAuth, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { SESSION_SCHEME } from '../../kernel/console-request.js';
import type { Principal } from '../../kernel/principal.js';
import { ConsoleOnlyGuard } from '../../sessions/console-only.guard.js';
import type { ConsoleSession } from '../../sessions/console-session.js';
import { CurrentSession } from '../../sessions/current-session.decorator.js';
import { ConsoleIdentitiesService } from './console-identities.service.js';
import { toIdentityRecord } from './console-identities.wire.js';
import { LinkIdentityRequest } from './dto/console-identities.request.dto.js';
import { ConsoleIdentityListResponse, LinkIdentityResponse } from './dto/console-identities.response.dto.js';

const MAX_BODY_BYTES = 16_384;

@ApiTags('Console session')
@Access('any', 'session')
@ApiCookieAuth(SESSION_SCHEME)
@UseGuards(ConsoleOnlyGuard)
@ReadsBody({ cap: MAX_BODY_BYTES })
@Controller('console/session/identities')
export class ConsoleIdentitiesController {
  constructor(private readonly service: ConsoleIdentitiesService) {}

  @Get()
  @Operation(
    'listConsoleIdentities',
    'List the identities of the user',
    'Returns the identities with which the user of the session signs in, oldest first.',
  )
  @ApiOkResponse({ type: ConsoleIdentityListResponse, description: 'The identities' })
  @FailsWith()
  async list(@CurrentSession() session: ConsoleSession): Promise<ConsoleIdentityListResponse> {
    return { data: (await this.service.list(session)).map(toIdentityRecord) };
  }

  @Post()
  @HttpCode(200)
  @Operation(
    'linkConsoleIdentity',
    'Start linking another identity',
    'The identity is linked when the provider redirects the browser back, if the session has not ended by then.',
  )
  @ApiOkResponse({ type: LinkIdentityResponse, description: 'The address to open' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async link(
    @Body() body: LinkIdentityRequest,
    @CurrentSession() session: ConsoleSession,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LinkIdentityResponse> {
    return { url: await this.service.start(session, body, request, response) };
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation(
    'unlinkConsoleIdentity',
    'Remove an identity',
    'Ends the sessions that the identity opened, except for this one. Returns 409 for the last identity ' +
      'if LOCAL_SIGN_IN is `link`.',
  )
  @ApiNoContentResponse({ description: 'The identity is removed' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async unlink(
    @Param('id') id: string,
    @CurrentSession() session: ConsoleSession,
    @Caller() by: Principal,
  ): Promise<void> {
    await this.service.unlink(session, id, by);
  }
}
