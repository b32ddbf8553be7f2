import { Module } from '@nestjs/common';
import { Activity } from './activity.js';
import { Generations } from './generations.js';
import { ModelTrafficSource } from './model-traffic.port.js';
import { Partitions } from './partitions.js';
import { PostgresModelTrafficDriver } from './postgres-model-traffic.driver.js';
import { TrafficFigures } from './traffic-figures.js';
import { UsageLabels } from './usage-labels.js';

/** What was used: the immutable records of calls. */
@Module({
  providers: [Activity, Generations, Partitions, TrafficFigures, UsageLabels, { provide: ModelTrafficSource, useClass: PostgresModelTrafficDriver }],
  exports: [Activity, Generations, TrafficFigures, UsageLabels],
})
export class UsageModule {}
