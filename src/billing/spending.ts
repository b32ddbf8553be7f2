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

/** A streamed answer that has begun: its first piece is held, so that a failure before it can still be answered. */
export interface Begun {
  /** Never empty. */
  readonly first: Uint8Array;
  /** What follows it. */
  readonly rest: AsyncIterator<Uint8Array, unknown>;
  /** Whether the vendor's complete answer is held and read; where it cannot tell, the end of `rest` does. */
  readonly isComplete: () => boolean;
  /** Asked once: after the last piece, or when the caller left after the first (`whole` false). */
  readonly bill: (whole: boolean) => Bill;
}

/** Records a call that failed or was left; null records nothing. */
export type RecordFailure = (error: unknown) => GenerationRecord | null;

/** Where a streamed answer goes. */
export interface ByteOutlet {
  /** False once the reader is gone. */
  readonly isOpen: boolean;
  /** Undefined where more may be written at once; else resolves when the reader has caught up or left. */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** The last bytes. */
  end(bytes: Uint8Array): void;
  /** Ends it so that the reader sees that it is not whole. */
  cut(): void;
}

export interface BilledStream {
  readonly generationId: string;
  /** To be called exactly once, whether or not the caller is still there. Never throws: an answer that fails is cut. */
  deliver(outlet: ByteOutlet): Promise<void>;
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
  async spend<T>(
    payer: Payer,
    first: Attempt,
    work: (call: OpenCall) => Promise<Completed<T>>,
    recordFailure: RecordFailure,
  ): Promise<T> {
    const call = this.#newCall(payer, first);
    try {
      await call.reserve();
      const completed = await this.#orRelease(call, work, recordFailure);
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
  async spendStream(
    payer: Payer,
    first: Attempt,
    signal: AbortSignal,
    work: (call: OpenCall) => Promise<Begun>,
    recordFailure: RecordFailure,
  ): Promise<BilledStream> {
    const call = this.#newCall(payer, first);
    try {
      await call.reserve();
      const begun = await this.#orRelease(call, work, recordFailure);
      return {
        generationId: call.generationId,
        deliver: (outlet) => this.#deliver(call, begun, outlet, signal, recordFailure),
      };
    } catch (error) {
      this.#open.delete(call);
      throw error;
    }
  }

  #newCall(payer: Payer, first: Attempt): OpenCall {
    const now = this.clock.now();
    const call = new OpenCall(newId(now.getTime()), payer, this.ledger, this.leases, now, first);
    this.#open.add(call);
    return call;
  }

  async #orRelease<T>(call: OpenCall, work: (call: OpenCall) => Promise<T>, recordFailure: RecordFailure): Promise<T> {
    try {
      return await work(call);
    } catch (error) {
      await this.#release(call, recordFailure(error));
      throw error;
    }
  }

  /** Failing to release is never the caller's trouble: the lease runs out and the sweeper does it. */
  async #release(call: OpenCall, record: GenerationRecord | null): Promise<void> {
    await call
      .release(record)
      .catch((error: Error) => this.#log.warn(`A reservation was left to the sweeper: ${error.message}`));
  }

  async #deliver(
    call: OpenCall,
    begun: Begun,
    outlet: ByteOutlet,
    signal: AbortSignal,
    recordFailure: RecordFailure,
  ): Promise<void> {
    const progress = { sent: false };
    try {
      const last = begun.isComplete() ? begun.first : await passOn(begun, outlet, progress);
      await call.settle(begun.bill(true));
      outlet.end(last);
    } catch (error) {
      const callerLeft = signal.aborted || !outlet.isOpen;
      outlet.cut();
      await this.#endEarly(call, begun, progress.sent && callerLeft, error, recordFailure);
    } finally {
      this.#open.delete(call);
    }
  }

  /** A call that is settled already is not touched again by either. */
  async #endEarly(
    call: OpenCall,
    begun: Begun,
    callerLeft: boolean,
    error: unknown,
    recordFailure: RecordFailure,
  ): Promise<void> {
    if (!callerLeft) return this.#release(call, recordFailure(error));
    // After the first byte: billed in full.
    await call
      .settle(begun.bill(false))
      .catch((failure: Error) => this.#log.error(`A call that was left could not be settled: ${failure.message}`));
  }
}

/** Passes pieces on as they come, but for the last byte that is held at any time; answers what is still held at the end. */
async function passOn(begun: Begun, outlet: ByteOutlet, progress: { sent: boolean }): Promise<Uint8Array> {
  let held = begun.first;
  while (!begun.isComplete()) {
    if (held.length > 1) {
      progress.sent = true;
      const wait = outlet.write(held.subarray(0, -1));
      held = held.subarray(-1);
      if (wait) await wait;
    }
    if (!outlet.isOpen) {
      await begun.rest.return?.();
      throw new GatewayError('caller_gone', 'The caller left');
    }
    const step = await begun.rest.next();
    if (step.done) break;
    if (step.value.length === 0) continue;
    progress.sent = true;
    void outlet.write(held);
    held = step.value;
  }
  return held;
}
