import { Injectable } from '@nestjs/common';
import type { AttemptBudget } from '../../billing/bill.js';
import { FreeCalls } from '../../billing/free-calls.js';
import { Clock } from '../../kernel/clock.js';
import { newId, parseGenerationId, toGenerationId } from '../../kernel/ids.js';
import { currentRequest } from '../../kernel/request-scope.js';
import type { Modality } from '../../usage/generation-record.js';
import { CallRecorder, type CallRecord } from '../call-recorder.js';
import type { InferenceContext } from '../task.js';
import type { ServedCall } from './served-call.js';

/** A call that reuses a response. */
export interface ReusedCall {
  readonly id: string;
  /** The public form of the generation's id. */
  readonly generationId: string;
  readonly at: Date;
  /** Creation time of the response, Unix seconds. */
  readonly created: number;
  readonly context: InferenceContext;
  readonly record: CallRecord;
}

interface Delivery {
  readonly streamed: boolean;
  /** The caller disconnected before the end. */
  readonly cancelled?: boolean;
  /** The amounts that the call would reserve; absent = the limits were checked for the shared call. */
  readonly budget?: AttemptBudget;
}

/** Records calls that reuse a response: each is a separate generation at price zero. */
@Injectable()
export class FreeRecords {
  constructor(
    private readonly recorder: CallRecorder,
    private readonly calls: FreeCalls,
    private readonly clock: Clock,
  ) {}

  open(modality: Modality, context: InferenceContext): ReusedCall {
    const at = this.clock.now();
    const id = newId(at.getTime());
    const generationId = toGenerationId(id);
    const created = Math.floor(at.getTime() / 1_000);
    return { id, generationId, at, created, context, record: this.recorder.openFree(modality, context) };
  }

  /** Announces the generation of the current request in its header and the log, with the changes to the request. */
  announce(generationId: string | undefined, adjusted?: readonly string[]): void {
    const request = currentRequest();
    if (!request) return;
    request.generationId = generationId;
    request.adjusted = adjusted;
  }

  /** Records the call. If a budget refuses the call, throws the refusal and records nothing. */
  async close(
    { id, at, context, record }: ReusedCall,
    { generationId, model, provider, finishReason, facts }: ServedCall,
    { streamed, cancelled, budget }: Delivery,
  ): Promise<void> {
    record.firstByte();
    await this.recorder.relabel(record, model, provider);
    const labels = record.resolveLabels();
    if (labels) await labels;
    await this.calls.record({
      generationId: id,
      at,
      payer: context.caller,
      budget,
      record: record.of({
        upstreamCost: 0n,
        status: 200,
        isByok: false,
        streamed,
        finishReason,
        cancelled,
        facts: { ...facts, cacheSourceId: parseGenerationId(generationId) },
      }),
    });
  }
}
