import { Injectable } from '@nestjs/common';
import type { GenerationRecord } from '../usage/generation-record.js';
import { MODALITY, type Modality } from '../usage/generation-record.js';
import { UsageLabels } from '../usage/usage-labels.js';
import { GatewayError, type ErrorKind } from '../kernel/errors.js';
import type { Nano } from '../kernel/money.js';
import { whenReady } from '../kernel/when-ready.js';
import type { InferenceContext } from './inference-context.js';

/** What is measured of one call, beside what CallRecord knows already. */
export interface Measured {
  readonly upstreamCost: Nano;
  readonly status: number;
  readonly tokensPrompt?: number;
  readonly tokensCompletion?: number;
  readonly characters?: number;
  readonly images?: number;
  readonly isByok: boolean;
  readonly streamed: boolean;
}

/** The statuses that usage records keep for calls that failed; the HTTP edge has the same table for answers. */
const RECORDED_STATUS: Partial<Record<ErrorKind, number>> = {
  invalid_request: 400,
  insufficient_credits: 402,
  not_found: 404,
  payload_too_large: 413,
  rate_limited: 429,
  caller_gone: 499,
  provider_failed: 502,
  unavailable: 503,
  provider_timeout: 524,
  provider_overloaded: 529,
};

/** Gathers what is recorded of one call: when it began, when its first byte came, for whom. */
export class CallRecord {
  readonly #start = performance.now();
  #firstByte: number | undefined;
  provider: number;

  constructor(
    private readonly modality: Modality,
    private readonly workspaceNo: number,
    private readonly labels: {
      model: number;
      provider: number;
      user: number | null;
      app: number | null;
      origin: number | null;
    },
  ) {
    this.provider = labels.provider;
  }

  /** The first byte of the vendor's answer is here. */
  firstByte(): void {
    this.#firstByte ??= performance.now();
  }

  of(measured: Measured): GenerationRecord {
    const now = performance.now();
    return {
      upstream_cost: measured.upstreamCost.toString(),
      workspace_no: this.workspaceNo,
      model: this.labels.model,
      provider: this.provider,
      external_user: this.labels.user,
      app: this.labels.app,
      origin: this.labels.origin,
      finish_reason: null,
      tokens_prompt: measured.tokensPrompt ?? 0,
      tokens_completion: measured.tokensCompletion ?? 0,
      tokens_reasoning: null,
      tokens_cached: null,
      characters: measured.characters || null,
      latency_ms: Math.round((this.#firstByte ?? now) - this.#start),
      duration_ms: Math.round(now - this.#start),
      status: measured.status,
      images: measured.images || null,
      modality: MODALITY[this.modality],
      is_byok: measured.isByok,
      streamed: measured.streamed,
    };
  }

  /** The record of a call that was not billed. */
  failed(error: unknown, streamed: boolean): GenerationRecord {
    const status = error instanceof GatewayError ? (RECORDED_STATUS[error.kind] ?? 500) : 500;
    return this.of({ upstreamCost: 0n, status, isByok: false, streamed });
  }
}

/** Opens call records; the labels they need come from a cache. */
@Injectable()
export class CallRecorder {
  constructor(private readonly labels: UsageLabels) {}

  /** At once where the labels were met before. */
  open(
    modality: Modality,
    model: string,
    provider: string,
    { caller, user, app, origin }: InferenceContext,
  ): CallRecord | Promise<CallRecord> {
    const labels: (number | null | Promise<number | null>)[] = [
      this.labels.numberOf('model', model),
      this.labels.numberOf('provider', provider),
      user === undefined ? null : this.labels.numberOf('externalUser', user),
      app === undefined ? null : this.labels.numberOf('app', app),
      origin === undefined ? null : this.labels.numberOf('origin', origin),
    ];
    const record = ([modelNo, providerNo, userNo, appNo, originNo]: readonly (number | null)[]): CallRecord =>
      new CallRecord(modality, caller.workspaceNo, {
        model: modelNo!,
        provider: providerNo!,
        user: userNo!,
        app: appNo!,
        origin: originNo!,
      });
    return whenReady(labels, record);
  }

  providerNo(provider: string): number | Promise<number> {
    return this.labels.numberOf('provider', provider);
  }
}
