import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import type { AuthenticatedRequest } from '../../auth/authenticated-request.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { CallContext } from '../../text-edge/call-context.js';
import { CallHeaders } from '../../text-edge/session-budget.js';
import { FastPath } from '../../http/edge/fast-path.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { GENERATION_ID_HEADER } from '../../http/reply/generation-id.header.js';
import { ResponseOutlet } from '../../http/reply/response-outlet.js';
import { SpeechInference } from '../../inference/capabilities/speech.js';
import { SPEECH_EVENTS_CONTENT } from './dto/speech.events.js';
import { SpeechRequestBody } from './dto/speech.request.dto.js';
import { toSpeechHeaders, toSpeechRequest } from './tts.wire.js';

const BINARY = { schema: { type: 'string', format: 'binary' } } as const;

@ApiTags('TTS')
@Controller('audio')
export class TtsController {
  constructor(private readonly inference: SpeechInference) {}

  @Post('speech')
  @FastPath()
  @Access('speech', 'inference')
  @CallHeaders()
  @Operation('createAudioSpeech', 'Create speech', 'Synthesizes speech audio from text.')
  @ApiOkResponse({
    description:
      'Raw audio: MP3, or PCM at 24 kHz, mono, 16-bit little-endian. Or server-sent events with the audio in base64',
    headers: GENERATION_ID_HEADER,
    content: { 'audio/mpeg': BINARY, 'audio/pcm': BINARY, 'text/event-stream': SPEECH_EVENTS_CONTENT },
  })
  @FailsWith('insufficient_credits', 'not_found', 'provider_failed', 'provider_timeout', 'provider_overloaded')
  async speak(
    @Body() body: SpeechRequestBody,
    @Req() request: Request & AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const context = new CallContext(request, response, body, 'media');
    const spoken = await this.inference.speak(toSpeechRequest(body), context);
    await spoken.deliver(new ResponseOutlet(response, toSpeechHeaders(body, spoken.generationId)));
  }
}
