import { Module } from '@nestjs/common';
import { TtsController } from './tts.controller.js';
import { TtsService } from './tts.service.js';

/** Lets a caller convert text to speech. */
@Module({ controllers: [TtsController], providers: [TtsService] })
export class TtsModule {}
