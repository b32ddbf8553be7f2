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
import { EmbeddingInference } from '../../inference/capabilities/embeddings.js';
import { CallContext } from '../../text-edge/call-context.js';
import { CallHeaders } from '../../text-edge/session-budget.js';
import { EmbeddingsRequestBody } from './dto/embeddings.request.dto.js';
import { EmbeddingsResponse } from './dto/embeddings.response.dto.js';
import { toEmbeddingsResponse } from './embeddings.wire.js';

@ApiTags('Embeddings')
@Controller('embeddings')
export class EmbeddingsController {
  constructor(private readonly inference: EmbeddingInference) {}

  @Post()
  @FastPath()
  @HttpCode(200)
  @Access('text', 'inference')
  @ReadsBody({ cap: TEXT_BODY.cap })
  @CallHeaders()
  @Operation(
    'createEmbeddings',
    'Create embeddings',
    'Turns texts into vectors. Similar texts have vectors that are close to each other.',
  )
  @ApiOkResponse({ description: 'One vector for each input', headers: GENERATION_ID_HEADER, type: EmbeddingsResponse })
  @ErrorTypes(...INFERENCE_FAILURES)
  async embed(
    @Body() body: EmbeddingsRequestBody,
    @Req() request: Request & AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const result = await this.inference.embed(body, new CallContext(request, response, body));
    const pieces = await toEmbeddingsResponse(result, body.encoding_format ?? 'float');
    sendJsonPieces(response, { 'x-generation-id': result.generationId }, pieces);
  }
}
