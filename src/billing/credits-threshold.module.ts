import { Module } from '@nestjs/common';
import { CreditsThreshold } from './credits-threshold.js';

/** Applies CREDITS_LOW_USD when a service starts; operator commands do not. */
@Module({ providers: [CreditsThreshold] })
export class CreditsThresholdModule {}
