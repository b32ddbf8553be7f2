import { Controller, Delete, Get, HttpCode, Param, Query, Req, Res, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { GroupBodyReaderGuard } from '../../http/body/body-reader.guard.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { DEADLINE_MS, DeadlineInterceptor } from './deadline.interceptor.js';
import { ListSessionsRequest } from './dto/list-interns.request.dto.js';
import { SessionListResponse } from './dto/session.response.dto.js';
import { InternErrors } from './intern-errors.js';
import { InternRelay } from './intern-relay.js';
import { InternRoute } from './intern-route.decorator.js';
import { ProgrammeGuard } from './programme.guard.js';
import { SessionsService } from './sessions.service.js';

@ApiTags('Interns')
@Access('interns', 'interns')
@UseGuards(ProgrammeGuard, GroupBodyReaderGuard)
@InternErrors()
@UseInterceptors(DeadlineInterceptor)
@Controller('interns/:id/sessions')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly relay: InternRelay,
  ) {}

  @Get()
  @InternRoute({ writes: false })
  @Operation(
    'listInternSessions',
    'List the sessions of an intern',
    'Returns the conversations with a running intern, newest first.',
  )
  @ApiOkResponse({ type: SessionListResponse, description: 'A page of sessions' })
  @FailsWith('forbidden', 'not_found', 'deadline_exceeded', 'conflict', 'provider_failed')
  async list(
    @Param('id') id: string,
    @Query() query: ListSessionsRequest,
    @Caller() caller: Principal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.relay.orRelay(request, response, async () => {
      response.json(await this.sessions.list(id, query, caller));
    });
  }

  @Delete(':session_id')
  @HttpCode(204)
  @InternRoute({ writes: false })
  @ReadsBody({ afterGroupGuards: true, withinMs: DEADLINE_MS, mayBeEmpty: true })
  @Operation(
    'deleteInternSession',
    'Delete a session of an intern',
    'Deletes a conversation with its transcript. A run of the session must have finished.',
  )
  @ApiNoContentResponse({ description: 'Deleted' })
  @FailsWith('forbidden', 'not_found', 'deadline_exceeded', 'conflict', 'provider_failed')
  async delete(
    @Param('id') id: string,
    @Param('session_id') sessionId: string,
    @Caller() caller: Principal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.relay.orRelay(request, response, async () => {
      await this.sessions.delete(id, sessionId, caller);
      response.status(204).end();
    });
  }
}
