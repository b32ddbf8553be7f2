import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import type { AuthenticatedRequest } from '../../auth/authenticated-request.js';
import { sendJsonPieces } from '../../http/body/body-pieces.js';
import { formFiles } from '../../http/body/body-reader.guard.js';
import { FastPath } from '../../http/edge/fast-path.decorator.js';
import { ErrorTypes } from '../../http/errors/typed-error-envelope.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { GENERATION_ID_HEADER } from '../../http/reply/generation-id.header.js';
import { INFERENCE_FAILURES } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { FORM_OVERHEAD_BYTES } from '../../http/reply/sent-file.js';
import { CallContext } from '../../text-edge/call-context.js';
import { CallHeaders } from '../../text-edge/session-budget.js';
import {
  TRANSCRIPTION_EXAMPLES,
  TranscriptionForm,
  TranscriptionRequestBody,
} from './dto/transcription.request.dto.js';
import { TranscriptionResponse } from './dto/transcription.response.dto.js';
import { MAX_BASE64_CHARACTERS } from './recording.js';
import { TranscriptionsService } from './transcriptions.service.js';
import { fromTranscriptionForm, toTranscriptionResponse } from './transcriptions.wire.js';

@ApiTags('Transcriptions')
@ApiExtraModels(TranscriptionForm, TranscriptionRequestBody)
@Controller('audio')
export class TranscriptionsController {
  constructor(private readonly transcriptions: TranscriptionsService) {}

  @Post('transcriptions')
  @FastPath()
  @HttpCode(200)
  @Access('text', 'inference')
  @ReadsBody({ cap: MAX_BASE64_CHARACTERS + FORM_OVERHEAD_BYTES, fromForm: fromTranscriptionForm })
  @CallHeaders()
  @Operation(
    'createAudioTranscriptions',
    'Create a transcription',
    'Turns speech into text. The recording is a file of a form, or base64 in JSON.',
  )
  @ApiConsumes('application/json', 'multipart/form-data')
  @ApiBody({
    schema: { oneOf: [TranscriptionRequestBody, TranscriptionForm].map((type) => ({ $ref: getSchemaPath(type) })) },
    examples: TRANSCRIPTION_EXAMPLES,
  })
  @ApiOkResponse({ description: 'The transcription', headers: GENERATION_ID_HEADER, type: TranscriptionResponse })
  @ErrorTypes(...INFERENCE_FAILURES)
  async transcribe(
    @Body() body: TranscriptionRequestBody,
    @Req() request: Request & AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const context = new CallContext(request, response, body);
    const result = await this.transcriptions.transcribe(body, formFiles(request), context);
    const text = JSON.stringify(toTranscriptionResponse(result));
    sendJsonPieces(response, { 'x-generation-id': result.generationId }, [text]);
  }
}
