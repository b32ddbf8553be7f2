import { Injectable, Logger } from '@nestjs/common';
import type { ByteOutlet } from '../kernel/byte-outlet.js';
import { Clock } from '../kernel/clock.js';
import { newId, toGenerationId } from '../kernel/ids.js';
import type { GenerationRecord } from '../usage/generation-record.js';
import { Anomalies } from './ledger/anomalies.js';
import type { Bill } from './bill.js';
import { LedgerAccess, type OpenRequest } from './ledger-access.js';
import { OpenCall } from './open-call.js';
import { forwardUpToLast, type StartedBytes } from './started-bytes.js';

/** A completed call: the result for the caller, and the bill of the call. */
export interface Completed<T> {
  readonly result: T;
  readonly bill: Bill;
}

/** How a billed stream ended. */
export interface StreamEnd {
  /** Whether the vendor's response was read to its end. */
  readonly isWhole: boolean;
  /** Whether the caller disconnected before the stream ended. */
  readonly callerLeft: boolean;
}

/** A streamed response that has started, and its bill. */
export interface StartedStream extends StartedBytes {
  /** Called at most once: after the last piece, or when the caller disconnects after the first piece. */
  readonly bill: (end: StreamEnd) => Bill | Promise<Bill>;
}

/** The parameters of a call to bill. */
export interface SpendRequest extends OpenRequest {
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** The X-Request-Id, for log lines and anomalies. */
  readonly requestId: () => string | null;
  /** The record of a failed or abandoned call; null = none. */
  readonly recordFailure: (error: unknown) => GenerationRecord | null;
}

export interface BilledStream {
  readonly generationId: string;
  /**
   * Must be called exactly once, even if the caller has disconnected. Throws only if nothing was sent yet, so that the
   * failure gets a status. A response that fails later ends with the bytes of `failing` (StartedBytes), or is aborted
   * if `failing` is absent.
   */
  deliver(outlet: ByteOutlet): Promise<void>;
}

/** The open calls of an account in this process. */
interface OpenCalls {
  count: number;
  /** The call that was opened while no other call was open. This call may have ended. */
  readonly first: OpenCall;
}

/** Reserves, settles and releases calls. No other code does so. */
@Injectable()
export class Spending {
  readonly #log = new Logger(Spending.name);
  /** Keyed by the number of the account. */
  readonly #open = new Map<number, OpenCalls>();

  constructor(
    private readonly access: LedgerAccess,
    private readonly clock: Clock,
    private readonly anomalies: Anomalies,
  ) {}

  /** The number of open calls, including calls that wait because the processor is busy. */
  get openCalls(): number {
    let calls = this.access.overload?.waiting ?? 0;
    for (const { count } of this.#open.values()) calls += count;
    return calls;
  }

  /** Reserves, runs `work` and settles at the actual price; releases if `work` throws. Durable when it resolves. */
  async spend<T>(request: SpendRequest, work: (call: OpenCall) => Promise<Completed<T>>): Promise<T> {
    const call = this.#newCall(request);
    try {
      const completed = await this.#reserveAndRun(call, request, work);
      await this.#settle(call, request, completed.bill);
      return completed.result;
    } finally {
      this.#close(call);
    }
  }

  /**
   * Like `spend`, for a stream. After the first byte was sent to the caller, the call is billed in full, unless the
   * vendor fails afterwards (docs/architecture.md, section 4). The last byte is sent only after the settlement is
   * durable.
   */
  async spendStream(request: SpendRequest, work: (call: OpenCall) => Promise<StartedStream>): Promise<BilledStream> {
    const call = this.#newCall(request);
    try {
      const started = await this.#reserveAndRun(call, request, work);
      return { generationId: call.generationId, deliver: (outlet) => this.#deliver(call, request, started, outlet) };
    } catch (error) {
      this.#close(call);
      throw error;
    }
  }

  #newCall(request: SpendRequest): OpenCall {
    const { payer } = request;
    const now = this.clock.now();
    const call = new OpenCall(newId(now.getTime()), request, this.access, now);
    this.access.overload?.callBegan();
    const others = this.#open.get(payer.accountNo);
    if (others) {
      others.count++;
      others.first.isAlone = call.isAlone = false;
    } else this.#open.set(payer.accountNo, { count: 1, first: call });
    return call;
  }

  #close(call: OpenCall): void {
    call.leaveVendor();
    this.access.overload?.callLeft();
    const { accountNo } = call.payer;
    if (--this.#open.get(accountNo)!.count === 0) this.#open.delete(accountNo);
  }

  async #reserveAndRun<T>(call: OpenCall, request: SpendRequest, work: (call: OpenCall) => Promise<T>): Promise<T> {
    const reserving = call.reserve();
    if (reserving) await reserving;
    try {
      return await work(call);
    } catch (error) {
      await this.#release(call, request.recordFailure(error));
      throw error;
    }
  }

  /** A failed release is only logged, because the sweeper releases the reservation when its lease expires. */
  async #release(call: OpenCall, record: GenerationRecord | null): Promise<void> {
    await call
      .release(record)
      .catch((error: Error) =>
        this.#log.warn(
          `The reservation of ${toGenerationId(call.generationId)} could not be released, and the sweeper ` +
            `will release it: ${error.message}`,
        ),
      );
  }

  /** Logs and records a failed settlement, even if the calling function ignores the error. */
  async #settle(call: OpenCall, { payer, requestId }: SpendRequest, bill: Bill): Promise<void> {
    const { generationId } = call;
    if (bill.anomaly) await this.anomalies.record({ ...bill.anomaly, payer, generationId, requestId: requestId() });
    try {
      await call.settle(bill);
    } catch (error) {
      const details = { price_nano: bill.price.toString(), error: (error as Error).message };
      await this.anomalies.record({ kind: 'settlement_failed', payer, generationId, requestId: requestId(), details });
      throw error;
    }
  }

  async #settleLeft(call: OpenCall, request: SpendRequest, started: StartedStream): Promise<void> {
    await this.#settle(call, request, await started.bill({ isWhole: false, callerLeft: true }));
  }

  async #deliver(call: OpenCall, request: SpendRequest, started: StartedStream, outlet: ByteOutlet): Promise<void> {
    const progress = { sent: false, settling: false };
    try {
      const last = await forwardUpToLast(started, outlet, progress);
      const bill = started.bill({ isWhole: true, callerLeft: !outlet.isOpen });
      progress.settling = true;
      await this.#settle(call, request, bill instanceof Promise ? await bill : bill);
      outlet.end(started.closing?.() ?? last);
    } catch (error) {
      const callerLeft = request.signal.aborted || !outlet.isOpen;
      const mayGetStatus = !progress.sent && !callerLeft;
      if (!mayGetStatus && started.failing && !callerLeft) outlet.end(started.failing(error));
      else if (!mayGetStatus) outlet.cut();
      if (progress.settling)
        this.#log.error(
          `The stream of ${toGenerationId(call.generationId)} was cut because it could not be billed (request ` +
            `${request.requestId() ?? 'unknown'})`,
        );
      // The caller disconnected after the first byte was sent, so the call is billed in full.
      else if (progress.sent && callerLeft) await this.#settleLeft(call, request, started).catch(() => undefined);
      else await this.#release(call, request.recordFailure(error));
      if (mayGetStatus) throw error;
    } finally {
      this.#close(call);
    }
  }
}
