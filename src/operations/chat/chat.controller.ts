import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import type { AuthenticatedRequest } from '../../auth/authenticated-request.js';
import { ErrorTypes } from '../../http/errors/typed-error-envelope.js';
import { FastPath } from '../../http/edge/fast-path.decorator.js';
import { jsonOrEvents, openSchema, TEXT_OR_EVENTS } from '../../http/openapi/open-schema.js';
import { INFERENCE_FAILURES } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody, TEXT_BODY } from '../../http/body/reads-body.decorator.js';
import { CHAT_FORMAT } from '../../formats/chat/format.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { CallContext } from '../../text-edge/call-context.js';
import { CallHeaders } from '../../text-edge/session-budget.js';
import { sentBody, TextEndpoint } from '../../text-edge/text-endpoint.js';
import { AttachedFiles } from './attached-files.js';
import { checkChat } from './chat-checks.js';
import { CHAT_EVENTS } from './dto/chat.events.js';
import { ChatRequestBody } from './dto/chat.request.dto.js';
import { ChatCompletionResponse } from './dto/chat.response.dto.js';

@ApiTags('Chat')
@ApiExtraModels(ChatCompletionResponse)
@Controller('chat')
export class ChatController {
  constructor(
    private readonly text: TextEndpoint,
    private readonly files: AttachedFiles,
  ) {}

  @Post('completions')
  @FastPath()
  @HttpCode(200)
  @Access('text', 'inference')
  @ReadsBody(TEXT_BODY)
  @CallHeaders()
  @Operation('sendChatCompletionRequest', 'Create a chat completion', 'Continues a conversation.')
  @ApiOkResponse(jsonOrEvents(TEXT_OR_EVENTS, openSchema(ChatCompletionResponse), CHAT_EVENTS))
  @ErrorTypes(...INFERENCE_FAILURES)
  async complete(
    @Body() body: ChatRequestBody,
    @Req() request: Request & AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const context = new CallContext(request, response, body);
    const sent = sentBody(request);
    checkChat(body, sent.members);
    const attached = this.files.attach(body.messages, sent, context);
    const ready = attached instanceof Promise ? await attached : attached;
    await this.text.serve(CHAT_FORMAT.read(body, ready), context, response);
  }
}
