import { Module } from '@nestjs/common';
import { Generations } from './generations.js';
import { Partitions } from './partitions.js';
import { UsageLabels } from './usage-labels.js';

/** What was used: the immutable records of calls. */
@Module({ providers: [Generations, Partitions, UsageLabels], exports: [Generations, UsageLabels] })
export class UsageModule {}
