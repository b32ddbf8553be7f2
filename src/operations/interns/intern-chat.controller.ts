import { Body, Controller, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { RateLimited } from '../../auth/rate-limited.decorator.js';
import { GroupBodyReaderGuard } from '../../http/body/body-reader.guard.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { DEADLINE_MS } from './deadline.interceptor.js';
import { INTERN_CHAT_EVENTS } from './dto/intern-chat.events.js';
import { InternChatRequest } from './dto/intern-chat.request.dto.js';
import { SteeredResponse } from './dto/session.response.dto.js';
import { InternChatErrors } from './intern-errors.js';
import { InternChatService } from './intern-chat.service.js';
import { InternRelay } from './intern-relay.js';
import { InternRoute } from './intern-route.decorator.js';
import { ProgrammeGuard } from './programme.guard.js';

@ApiTags('Interns')
@Access('interns', 'interns')
@UseGuards(ProgrammeGuard, GroupBodyReaderGuard)
@InternChatErrors()
@Controller('interns')
export class InternChatController {
  constructor(
    private readonly chat: InternChatService,
    private readonly relay: InternRelay,
  ) {}

  @Post(':id/chat/completions')
  @HttpCode(200)
  @InternRoute({ writes: false, needsCapability: true })
  @RateLimited('inference')
  @ReadsBody({ afterGroupGuards: true, withinMs: DEADLINE_MS, keepsBytes: true })
  @Operation(
    'createInternChatCompletion',
    'Chat with an intern',
    'Sends a message to an intern, or the answer to its question, and streams what it does: text, ' +
      'reasoning, and at most one question as a call of the tool `openrouter.provide_input`. The last ' +
      'chunk has the session and the usage, and an empty list of choices. If the caller disconnects before ' +
      '`[DONE]`, the run is cancelled.',
  )
  @ApiOkResponse({
    description: 'Server-sent events: chunks of a chat completion',
    content: { 'text/event-stream': INTERN_CHAT_EVENTS },
  })
  @ApiAcceptedResponse({
    type: SteeredResponse,
    description: 'The message was added to the current run of its session',
  })
  @FailsWith('forbidden', 'not_found', 'deadline_exceeded', 'conflict', 'gone', 'provider_failed')
  async complete(
    @Param('id') id: string,
    @Body() body: InternChatRequest,
    @Caller() caller: Principal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.relay.orRelay(request, response, () => this.chat.respond(id, body, caller, response));
  }
}
