import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import { CalledFrom } from '../../http/called-from.decorator.js';
import { callerSignal } from '../../http/caller-signal.js';
import { ClientApplication, type ClientApplicationHeaders } from '../../http/client-application.decorator.js';
import { FailsWith } from '../../http/fails-with.decorator.js';
import { GENERATION_ID_HEADER } from '../../http/generation-id.header.js';
import { ResponseOutlet } from '../../http/response-outlet.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import type { Principal } from '../../kernel/principal.js';
import { SPEECH_EXAMPLES } from './dto/speech.examples.js';
import { SpeechRequestBody } from './dto/speech.request.dto.js';
import { TtsService } from './tts.service.js';

const BINARY = { schema: { type: 'string', format: 'binary' } } as const;

@ApiTags('TTS')
@Controller('audio')
export class TtsController {
  constructor(private readonly tts: TtsService) {}

  /** Synthesizes speech audio from text. */
  @Post('speech')
  @Access('speech')
  @ApiOperation({ operationId: 'createAudioSpeech', summary: 'Create speech' })
  @ApiBody({ type: SpeechRequestBody, examples: SPEECH_EXAMPLES })
  @ApiOkResponse({ description: 'Raw audio: MP3, or PCM at 24 kHz, mono, 16-bit little-endian', headers: GENERATION_ID_HEADER, content: { 'audio/mpeg': BINARY, 'audio/pcm': BINARY } })
  @FailsWith('insufficient_credits', 'not_found', 'provider_failed', 'provider_timeout', 'provider_overloaded')
  async speak(@Body() request: SpeechRequestBody, @Caller() caller: Principal, @ClientApplication() client: ClientApplicationHeaders, @CalledFrom() place: CallerPlace, @Res() response: Response): Promise<void> {
    const spoken = await this.tts.speak(request, { caller, user: request.user, place, ...client, signal: callerSignal(response) });
    await spoken.deliver(new ResponseOutlet(response, { 'content-type': spoken.contentType, 'x-generation-id': spoken.generationId }));
  }
}
