import { Injectable } from '@nestjs/common';
import { BoundedReads } from './query/bounded-reads.js';
import { callListPlanOf, cursorOf, type CallListRequest, type ListedCall } from './call-list.js';
import { UsageReader } from './query/usage-reader.port.js';

/** A page of calls, newest first. */
export interface CallPage {
  readonly calls: readonly ListedCall[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /** The list contains the calls that were recorded until this time. */
  readonly asOf: Date;
}

/** Lists one account's calls. */
@Injectable()
export class CallLists {
  constructor(
    private readonly reader: UsageReader,
    private readonly reads: BoundedReads,
  ) {}

  /** Throws invalid_request, which names the mistake, or deadline_exceeded. */
  async page(request: CallListRequest, accountNo: number, caller: AbortSignal): Promise<CallPage> {
    const plan = callListPlanOf(request, accountNo);
    const { rows, asOf } = await this.reads.run(caller, (signal) => this.reader.list(plan, signal));
    const calls = rows.slice(0, plan.limit);
    const last = calls.at(-1);
    return { calls, nextCursor: last && rows.length > calls.length ? cursorOf(last) : null, asOf: new Date(asOf) };
  }
}
