import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import type { AuthenticatedRequest } from '../../auth/authenticated-request.js';
import { ErrorTypes } from '../../http/errors/error-types.js';
import { FastPath } from '../../http/edge/fast-path.decorator.js';
import { GENERATION_ID_HEADER } from '../../http/reply/generation-id.header.js';
import { jsonOrEvents, openSchema, TEXT_OR_EVENTS } from '../../http/openapi/open-schema.js';
import { INFERENCE_FAILURES } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody, TEXT_BODY } from '../../http/body/reads-body.decorator.js';
import { receivedText } from '../../text-edge/received-text.js';
import { sendCompletion, sendStream } from '../../text-edge/text-reply.js';
import { responsesFailure } from '../../inference/capabilities/responses.js';
import { ResponsesService } from './responses.service.js';
import { RESPONSES_EVENTS } from './dto/responses.events.js';
import { COMPACTION_EXAMPLES, RESPONSES_EXAMPLES } from './dto/responses.examples.js';
import { ResponsesRequestBody } from './dto/responses.request.dto.js';
import { CompactionResponse, ResponsesResponse } from './dto/responses.response.dto.js';

@ApiTags('Responses')
@ApiExtraModels(CompactionResponse, ResponsesResponse)
@Controller('responses')
export class ResponsesController {
  constructor(private readonly responses: ResponsesService) {}

  @Post()
  @FastPath()
  @HttpCode(200)
  @Access('text')
  @ReadsBody(TEXT_BODY)
  @ApiOperation({
    operationId: 'createResponses',
    summary: 'Create a response',
    description: 'Continues a conversation that consists of items.',
  })
  @ApiBody({ type: ResponsesRequestBody, examples: RESPONSES_EXAMPLES })
  @ApiOkResponse(jsonOrEvents(TEXT_OR_EVENTS, openSchema(ResponsesResponse), RESPONSES_EVENTS))
  @ErrorTypes(...INFERENCE_FAILURES)
  async create(
    @Body() body: ResponsesRequestBody,
    @Req() request: Request & AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { sent, context } = receivedText(body, request, response, body.prompt_cache_key);
    if (body.stream !== true) return sendCompletion(response, await this.responses.complete(sent, context));
    const failing = (error: unknown): Uint8Array => responsesFailure(body.model ?? '', error);
    await sendStream(response, () => this.responses.stream(sent, context), failing);
  }

  @Post('compact')
  @FastPath()
  @HttpCode(200)
  @Access('text')
  @ReadsBody(TEXT_BODY)
  @ApiOperation({
    operationId: 'compactResponses',
    summary: 'Compact a conversation',
    description: 'Lets the provider make a conversation shorter. Only models of providers that offer it can be called.',
  })
  @ApiBody({ type: ResponsesRequestBody, examples: COMPACTION_EXAMPLES })
  @ApiOkResponse({
    description: 'The items that stand for the conversation',
    headers: GENERATION_ID_HEADER,
    content: { 'application/json': { schema: openSchema(CompactionResponse) } },
  })
  @ErrorTypes(...INFERENCE_FAILURES)
  async compact(
    @Body() body: ResponsesRequestBody,
    @Req() request: Request & AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { sent, context } = receivedText(body, request, response, body.prompt_cache_key);
    sendCompletion(response, await this.responses.compact(sent, context));
  }
}
