import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import type { AuthenticatedRequest } from '../../auth/authenticated-request.js';
import { KeyHeader } from '../../auth/key-header.decorator.js';
import { RateLimited } from '../../auth/rate-limited.decorator.js';
import { FastPath } from '../../http/edge/fast-path.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { MessagesErrors } from '../../text-edge/messages-errors.js';
import { ESTIMATE_HEADER, ESTIMATE_IS_BOUND } from '../../http/reply/estimate.header.js';
import { jsonOrEvents, openSchema, TEXT_OR_EVENTS } from '../../http/openapi/open-schema.js';
import { INFERENCE_FAILURES } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody, TEXT_BODY } from '../../http/body/reads-body.decorator.js';
import { MESSAGES_FORMAT } from '../../formats/messages/format.js';
import { sentHeaders } from '../../formats/messages/headers.js';
import type { SentBody } from '../../formats/vendor-text.js';
import { InputTokenCounts } from '../../inference/capabilities/token-counts.js';
import { CallContext } from '../../text-edge/call-context.js';
import { CallHeaders } from '../../text-edge/session-budget.js';
import { sentBody, TextEndpoint, withoutHiddenFileIds } from '../../text-edge/text-endpoint.js';
import { MESSAGE_EVENTS } from './dto/messages.events.js';
import { CountTokensRequestBody, MessagesRequestBody } from './dto/messages.request.dto.js';
import { MessageResponse, TokenCountResponse } from './dto/messages.response.dto.js';
import { checkMessages } from './messages-checks.js';

@ApiTags('Messages')
@ApiExtraModels(MessageResponse)
@Controller('messages')
@KeyHeader('x-api-key')
export class MessagesController {
  constructor(
    private readonly text: TextEndpoint,
    private readonly counts: InputTokenCounts,
  ) {}

  @Post()
  @FastPath()
  @HttpCode(200)
  @Access('text', 'inference')
  @ReadsBody(TEXT_BODY)
  @CallHeaders()
  @Operation('createMessage', 'Create a message', 'Continues a conversation.')
  @ApiOkResponse(jsonOrEvents(TEXT_OR_EVENTS, openSchema(MessageResponse), MESSAGE_EVENTS))
  @MessagesErrors(...INFERENCE_FAILURES)
  async create(
    @Body() body: MessagesRequestBody,
    @Req() request: Request & AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const context = new CallContext(request, response, body);
    await this.text.serve(MESSAGES_FORMAT.read(body, checkedBody(body, request)), context, response);
  }

  @Post('count_tokens')
  @HttpCode(200)
  @Access('text', 'inference')
  @RateLimited('counting')
  @ReadsBody(TEXT_BODY)
  @Operation(
    'countMessageTokens',
    'Count the tokens of a message',
    'Estimates the input tokens of a request without sending it to a provider. Free of charge.',
  )
  @ApiOkResponse({ description: 'The estimated input tokens', type: TokenCountResponse, headers: ESTIMATE_HEADER })
  @MessagesErrors('not_found')
  async countTokens(
    @Body() body: CountTokensRequestBody,
    @Req() request: Request & AuthenticatedRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TokenCountResponse> {
    const context = new CallContext(request, response, body);
    const counted = MESSAGES_FORMAT.read(body, checkedBody(body, request));
    const { tokens, isBound } = await this.counts.ofMessages(counted, context);
    if (isBound) response.set(ESTIMATE_IS_BOUND);
    return { input_tokens: tokens };
  }
}

/** Checks the body, and adds the headers that contain the version of the format. */
function checkedBody(body: CountTokensRequestBody, request: Request): SentBody {
  const sent = { ...sentBody(request), ...sentHeaders(request.headers) };
  checkMessages(body, sent.members);
  return withoutHiddenFileIds(sent, 'messages', body.messages);
}
