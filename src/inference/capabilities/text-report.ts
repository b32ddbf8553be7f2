import type { ConversationResponse } from '../../formats/vendor-text.js';
import type { ClientFormat, ResponseProgress, WireReport } from '../../formats/client-format.js';
import { membersOf, textOf } from '../../formats/members.js';
import type { VendorUsage } from '../../formats/usage.js';
import { readUsage } from '../../formats/read-usage.js';

/** The facts about a call that its response contains, for any format. They change while the response is read. */
export interface TextReport {
  readonly progress: ResponseProgress;
  usage(): VendorUsage | undefined;
  upstreamId(): string | undefined;
  serviceTier(): string | undefined;
}

/** The report of a vendor that sends the client's own format. */
export class RelayedReport implements TextReport {
  #read: { readonly from: unknown; readonly report: VendorUsage | undefined } | undefined;

  constructor(
    readonly progress: ResponseProgress & WireReport,
    private readonly format: ClientFormat,
  ) {}

  /** Each report of a vendor is parsed only once. */
  usage(): VendorUsage | undefined {
    const { usage } = this.progress;
    if (this.#read?.from !== usage) this.#read = { from: usage, report: readUsage(this.format.name, usage) };
    return this.#read?.report;
  }

  upstreamId(): string | undefined {
    return this.progress.upstreamId;
  }

  serviceTier(): string | undefined {
    return this.progress.serviceTier;
  }
}

/** The report of a vendor whose response is in the canonical form. */
export class ConversationReport implements TextReport {
  constructor(
    private readonly vendor: ConversationResponse,
    readonly progress: ResponseProgress,
  ) {}

  usage(): VendorUsage | undefined {
    return readUsage(this.vendor.usageFormat, this.vendor.usage());
  }

  upstreamId(): string | undefined {
    return this.vendor.upstreamId();
  }

  /** Some vendors report the service tier together with the usage. */
  serviceTier(): string | undefined {
    return this.vendor.serviceTier?.() ?? textOf(membersOf(this.vendor.usage()).service_tier);
  }
}
