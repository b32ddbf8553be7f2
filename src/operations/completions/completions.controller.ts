import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import type { AuthenticatedRequest } from '../../auth/authenticated-request.js';
import { FastPath } from '../../http/edge/fast-path.decorator.js';
import { ErrorTypes } from '../../http/errors/typed-error-envelope.js';
import { INFERENCE_FAILURES } from '../../http/errors/fails-with.decorator.js';
import { jsonOrEvents, TEXT_OR_EVENTS } from '../../http/openapi/open-schema.js';
import { ReadsBody, TEXT_BODY } from '../../http/body/reads-body.decorator.js';
import { COMPLETIONS_FORMAT } from '../../formats/completions/format.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { CallContext } from '../../text-edge/call-context.js';
import { CallHeaders } from '../../text-edge/session-budget.js';
import { sentBody, TextEndpoint } from '../../text-edge/text-endpoint.js';
import { checkCompletion } from './completion-checks.js';
import { COMPLETION_EVENTS } from './dto/completion.events.js';
import { CompletionRequestBody } from './dto/completion.request.dto.js';
import { CompletionResponse } from './dto/completion.response.dto.js';

@ApiTags('Completions')
@ApiExtraModels(CompletionResponse)
@Controller('completions')
export class CompletionsController {
  constructor(private readonly text: TextEndpoint) {}

  @Post()
  @FastPath()
  @HttpCode(200)
  @Access('text', 'inference')
  @ReadsBody(TEXT_BODY)
  @CallHeaders()
  @Operation(
    'createCompletion',
    'Create a completion',
    'Continues one or several texts. Only for models whose providers support this operation; most ' +
      'support only chat completions.',
  )
  @ApiOkResponse(jsonOrEvents(TEXT_OR_EVENTS, { $ref: getSchemaPath(CompletionResponse) }, COMPLETION_EVENTS))
  @ErrorTypes(...INFERENCE_FAILURES)
  async complete(
    @Body() body: CompletionRequestBody,
    @Req() request: Request & AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const context = new CallContext(request, response, body);
    const sent = sentBody(request);
    checkCompletion(body, sent.members);
    await this.text.serve(COMPLETIONS_FORMAT.read(body, sent), context, response);
  }
}
