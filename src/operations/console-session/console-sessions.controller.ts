import { Controller, Delete, Get, HttpCode, Param, UseGuards } from '@nestjs/common';
import { ApiCookieAuth, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { SESSION_SCHEME } from '../../kernel/console-request.js';
import type { Principal } from '../../kernel/principal.js';
import type { ConsoleSession } from '../../sessions/console-session.js';
import { CurrentSession } from '../../sessions/current-session.decorator.js';
import { ConsoleOnlyGuard } from '../../sessions/console-only.guard.js';
import { toListedSession } from './console-session.wire.js';
import { ConsoleSessionsService } from './console-sessions.service.js';
import { ConsoleSessionListResponse, ConsoleSessionsEndedResponse } from './dto/console-session.response.dto.js';

@ApiTags('Console session')
@Access('any', 'session')
@ApiCookieAuth(SESSION_SCHEME)
@UseGuards(ConsoleOnlyGuard)
@Controller('console/sessions')
export class ConsoleSessionsController {
  constructor(private readonly sessions: ConsoleSessionsService) {}

  @Get()
  @Operation(
    'listConsoleSessions',
    'List your own sessions',
    'Returns the browsers in which the member of the session is signed in, newest first.',
  )
  @ApiOkResponse({ type: ConsoleSessionListResponse, description: 'The sessions' })
  @FailsWith()
  async list(@CurrentSession() current: ConsoleSession): Promise<ConsoleSessionListResponse> {
    return { data: (await this.sessions.list(current)).map((session) => toListedSession(session, current)) };
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation('endConsoleSession', 'End one of your own sessions', 'Signs one browser out, on every replica.')
  @ApiNoContentResponse({ description: 'The session has ended' })
  @FailsWith('forbidden', 'not_found')
  async end(
    @Param('id') id: string,
    @CurrentSession() current: ConsoleSession,
    @Caller() by: Principal,
  ): Promise<void> {
    await this.sessions.end(id, current, by);
  }

  @Delete()
  @Operation(
    'endOtherConsoleSessions',
    'End your other sessions',
    'Signs every other browser of the member out, on every replica.',
  )
  @ApiOkResponse({ type: ConsoleSessionsEndedResponse, description: 'The number of ended sessions' })
  @FailsWith('forbidden')
  async endOthers(
    @CurrentSession() current: ConsoleSession,
    @Caller() by: Principal,
  ): Promise<ConsoleSessionsEndedResponse> {
    return { ended_count: await this.sessions.endOthers(current, by) };
  }
}
