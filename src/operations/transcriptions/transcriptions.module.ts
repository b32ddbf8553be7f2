import { Module } from '@nestjs/common';
import { TranscriptionsController } from './transcriptions.controller.js';
import { TranscriptionsService } from './transcriptions.service.js';

/** Lets a caller convert speech to text. */
@Module({ controllers: [TranscriptionsController], providers: [TranscriptionsService] })
export class TranscriptionsModule {}
