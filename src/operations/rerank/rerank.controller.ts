import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import type { AuthenticatedRequest } from '../../auth/authenticated-request.js';
import { sendJsonPieces } from '../../http/body/body-pieces.js';
import { FastPath } from '../../http/edge/fast-path.decorator.js';
import { ErrorTypes } from '../../http/errors/typed-error-envelope.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { GENERATION_ID_HEADER } from '../../http/reply/generation-id.header.js';
import { INFERENCE_FAILURES } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody, TEXT_BODY } from '../../http/body/reads-body.decorator.js';
import { RerankInference } from '../../inference/capabilities/rerank.js';
import { CallContext } from '../../text-edge/call-context.js';
import { CallHeaders } from '../../text-edge/session-budget.js';
import { RerankRequestBody } from './dto/rerank.request.dto.js';
import { RerankResponse } from './dto/rerank.response.dto.js';
import { toRerankRequest, toRerankResponse } from './rerank.wire.js';

@ApiTags('Rerank')
@Controller('rerank')
export class RerankController {
  constructor(private readonly inference: RerankInference) {}

  @Post()
  @FastPath()
  @HttpCode(200)
  @Access('text', 'inference')
  @ReadsBody({ cap: TEXT_BODY.cap })
  @CallHeaders()
  @Operation('createRerank', 'Rank documents', 'Ranks documents by their relevance to a query.')
  @ApiOkResponse({ description: 'The ranking', headers: GENERATION_ID_HEADER, type: RerankResponse })
  @ErrorTypes(...INFERENCE_FAILURES)
  async rerank(
    @Body() body: RerankRequestBody,
    @Req() request: Request & AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const context = new CallContext(request, response, body);
    const wanted = toRerankRequest(body);
    const ranked = await this.inference.rerank(wanted, context);
    const text = JSON.stringify(toRerankResponse(ranked, wanted.documents));
    sendJsonPieces(response, { 'x-generation-id': ranked.generationId }, [text]);
  }
}
