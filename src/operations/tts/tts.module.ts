import { Module } from '@nestjs/common';
import { TtsController } from './tts.controller.js';

/** Lets a caller convert text to speech. */
@Module({ controllers: [TtsController] })
export class TtsModule {}
