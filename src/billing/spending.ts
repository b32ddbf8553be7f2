import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../kernel/clock.js';
import { GatewayError } from '../kernel/errors.js';
import { newId } from '../kernel/ids.js';
import type { GenerationRecord } from '../usage/generation-record.js';
import { Leases } from './ledger/leases.js';
import { Ledger } from './ledger/ledger.js';
import { OpenCall, type Attempt, type Bill, type Payer } from './open-call.js';

/** A completed call: what the caller gets and what it costs. */
export interface Completed<T> {
  readonly result: T;
  readonly bill: Bill;
}

/** A streamed answer that has begun: its first chunk is held, so that a failure before it can still be answered. */
export interface Begun {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Asked once: after the last chunk, or when the caller left after the first (`whole` false). */
  readonly bill: (whole: boolean) => Bill;
}

/** Records a call that failed or was left; null records nothing. */
export type RecordFailure = (error: unknown) => GenerationRecord | null;

export interface BilledStream {
  readonly generationId: string;
  readonly body: AsyncGenerator<Uint8Array, void, undefined>;
}

/** The one way to spend: nobody else reserves, settles or releases. */
@Injectable()
export class Spending {
  readonly #log = new Logger(Spending.name);
  readonly #open = new Set<OpenCall>();

  constructor(
    private readonly ledger: Ledger,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  /** How many calls are under way. */
  get openCalls(): number {
    return this.#open.size;
  }

  /** Reserves, works, settles at the true price; releases when the work throws. Durable when it resolves. */
  async spend<T>(payer: Payer, first: Attempt, work: (call: OpenCall) => Promise<Completed<T>>, recordFailure: RecordFailure): Promise<T> {
    const call = await this.#begin(payer, first);
    try {
      const completed = await this.#orRelease(call, () => work(call), recordFailure);
      await call.settle(completed.bill);
      return completed.result;
    } finally {
      this.#open.delete(call);
    }
  }

  /**
   * The streaming twin. Once the first byte has gone to the caller the call is billed in full, unless the vendor itself
   * then fails (architecture section 4). The last byte is held back until the settlement is durable.
   */
  async spendStream(payer: Payer, first: Attempt, signal: AbortSignal, work: (call: OpenCall) => Promise<Begun>, recordFailure: RecordFailure): Promise<BilledStream> {
    const call = await this.#begin(payer, first);
    try {
      const begun = await this.#orRelease(call, () => work(call), recordFailure);
      return { generationId: call.generationId, body: this.#meter(call, begun, signal, recordFailure) };
    } catch (error) {
      this.#open.delete(call);
      throw error;
    }
  }

  async #begin(payer: Payer, first: Attempt): Promise<OpenCall> {
    const now = this.clock.now();
    const call = new OpenCall(newId(now.getTime()), payer, this.ledger, this.leases, now, first);
    this.#open.add(call);
    try {
      await call.reserve();
    } catch (error) {
      this.#open.delete(call);
      throw error;
    }
    return call;
  }

  async #orRelease<T>(call: OpenCall, work: () => Promise<T>, recordFailure: RecordFailure): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.#release(call, recordFailure(error));
      throw error;
    }
  }

  /** Failing to release is never the caller's trouble: the lease runs out and the sweeper does it. */
  async #release(call: OpenCall, record: GenerationRecord | null): Promise<void> {
    await call.release(record).catch((error: Error) => this.#log.warn(`A reservation was left to the sweeper: ${error.message}`));
  }

  async *#meter(call: OpenCall, begun: Begun, signal: AbortSignal, recordFailure: RecordFailure): AsyncGenerator<Uint8Array, void, undefined> {
    let sent = false;
    let ended = false;
    try {
      let held: Uint8Array | undefined;
      for await (const chunk of begun.chunks) {
        if (chunk.length === 0) continue;
        sent ||= held !== undefined || chunk.length > 1;
        if (held) yield held;
        if (chunk.length > 1) yield chunk.subarray(0, -1);
        held = chunk.subarray(-1);
      }
      if (!held) throw new GatewayError('provider_failed', 'The provider answered without any audio');
      ended = true;
      await call.settle(begun.bill(true));
      yield held;
    } catch (error) {
      if (!ended && !(signal.aborted && sent)) {
        ended = true;
        await this.#release(call, recordFailure(error));
      }
      throw error;
    } finally {
      // The caller left after the first byte: billed in full.
      if (!ended) await call.settle(begun.bill(false)).catch((error: Error) => this.#log.error(`A call that was left could not be settled: ${error.message}`));
      this.#open.delete(call);
    }
  }
}
