import { Module } from '@nestjs/common';
import { InternsModule } from '../../interns/interns.module.js';
import { InternsController } from './interns.controller.js';
import { InternsService } from './interns.service.js';

/** Lets members of the interns programme create interns and steer their lives. */
@Module({ imports: [InternsModule], controllers: [InternsController], providers: [InternsService] })
export class InternOperationsModule {}
