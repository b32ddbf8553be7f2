import { Module } from '@nestjs/common';
import { CreditsThreshold } from './credits-threshold.js';

/** Applies CREDITS_LOW_USD when a service starts. Operator commands do not apply it. */
@Module({ providers: [CreditsThreshold] })
export class CreditsThresholdModule {}
