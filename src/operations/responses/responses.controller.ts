import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import type { AuthenticatedRequest } from '../../auth/authenticated-request.js';
import { ErrorTypes } from '../../http/errors/typed-error-envelope.js';
import { FastPath } from '../../http/edge/fast-path.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { GENERATION_ID_HEADER } from '../../http/reply/generation-id.header.js';
import { jsonOrEvents, openSchema, TEXT_OR_EVENTS } from '../../http/openapi/open-schema.js';
import { INFERENCE_FAILURES } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody, TEXT_BODY } from '../../http/body/reads-body.decorator.js';
import type { ClientFormat } from '../../formats/client-format.js';
import { COMPACTION_FORMAT } from '../../formats/responses/compaction.js';
import { RESPONSES_FORMAT, type ResponsesBody } from '../../formats/responses/format.js';
import { CallContext } from '../../text-edge/call-context.js';
import { CallHeaders } from '../../text-edge/session-budget.js';
import { sentBody, TextEndpoint, withoutHiddenFileIds } from '../../text-edge/text-endpoint.js';
import { checkResponses } from './responses-checks.js';
import { RESPONSES_EVENTS } from './dto/responses.events.js';
import { COMPACTION_EXAMPLES, ResponsesRequestBody } from './dto/responses.request.dto.js';
import { CompactionResponse, ResponsesResponse } from './dto/responses.response.dto.js';

@ApiTags('Responses')
@ApiExtraModels(CompactionResponse, ResponsesResponse)
@Controller('responses')
export class ResponsesController {
  constructor(private readonly text: TextEndpoint) {}

  @Post()
  @FastPath()
  @HttpCode(200)
  @Access('text', 'inference')
  @ReadsBody(TEXT_BODY)
  @CallHeaders()
  @Operation('createResponses', 'Create a response', 'Continues a conversation that consists of items.')
  @ApiOkResponse(jsonOrEvents(TEXT_OR_EVENTS, openSchema(ResponsesResponse), RESPONSES_EVENTS))
  @ErrorTypes(...INFERENCE_FAILURES)
  create(
    @Body() body: ResponsesRequestBody,
    @Req() request: Request & AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.#serve(RESPONSES_FORMAT, body, request, response);
  }

  @Post('compact')
  @FastPath()
  @HttpCode(200)
  @Access('text', 'inference')
  @ReadsBody(TEXT_BODY)
  @CallHeaders()
  @Operation(
    'compactResponses',
    'Compact a conversation',
    'Lets the provider shorten a conversation. Only for models whose providers support it.',
  )
  @ApiBody({ type: ResponsesRequestBody, examples: COMPACTION_EXAMPLES })
  @ApiOkResponse({
    description: 'The items that replace the conversation',
    headers: GENERATION_ID_HEADER,
    content: { 'application/json': { schema: openSchema(CompactionResponse) } },
  })
  @ErrorTypes(...INFERENCE_FAILURES)
  compact(
    @Body() body: ResponsesRequestBody,
    @Req() request: Request & AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.#serve(COMPACTION_FORMAT, body, request, response);
  }

  async #serve(
    format: ClientFormat<ResponsesBody>,
    body: ResponsesRequestBody,
    request: Request & AuthenticatedRequest,
    response: Response,
  ): Promise<void> {
    const context = new CallContext(request, response, body);
    const sent = sentBody(request);
    checkResponses(body, sent.members);
    const safe = withoutHiddenFileIds(sent, 'input', body.input);
    await this.text.serve(format.read(body, safe), context, response);
  }
}
