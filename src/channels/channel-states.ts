import { Injectable } from '@nestjs/common';
import type { MetricFamily } from '../telemetry/metric-family.js';
import { Metrics } from '../telemetry/metrics.js';
import { CredentialRests } from './credential-rests.js';

export const CHANNEL_STATES = ['ready', 'resting', 'refused', 'exhausted', 'disabled'] as const;
export type ChannelState = (typeof CHANNEL_STATES)[number];

/** The state of a credential. */
export interface ChannelStateReport {
  readonly state: ChannelState;
  /** When the last of the credential's rests ends; null = the credential does not rest. */
  readonly restingUntil: Date | null;
}

/** The states of the platform's credentials. */
@Injectable()
export class ChannelStates {
  constructor(
    private readonly rests: CredentialRests,
    metrics: Metrics,
  ) {
    metrics.add('credential rests', () => [this.#family()]);
  }

  of({ version, disabled }: { readonly version: string; readonly disabled: boolean }): ChannelStateReport {
    const until = this.rests.latestUntil(version);
    const lasting = this.rests.lasting({ version });
    const failed = lasting === 'refused' || lasting === 'exhausted' ? lasting : undefined;
    const state = disabled ? 'disabled' : (failed ?? (until === undefined ? 'ready' : 'resting'));
    return { state, restingUntil: until === undefined ? null : new Date(until) };
  }

  #family(): MetricFamily {
    return {
      type: 'gauge',
      name: 'gatehouse_credentials_resting',
      help: 'Credentials of the platform and of callers that are at rest for at least one model, by reason.',
      ofProcesses: 'highest',
      samples: [...this.rests.counts()].map(([reason, value]) => ({ labels: { reason }, value })),
    };
  }
}
