import type { FinishReason } from '../../formats/conversation.js';
import type { ConversationResponse } from '../../formats/vendor-text.js';
import type { ClientFormat, ResponseProgress, WireReport } from '../../formats/client-format.js';
import type { VendorUsage } from '../../formats/usage.js';
import { readUsage } from '../../formats/read-usage.js';

/** The facts about a call that its response contains, for any format. */
export interface TextReport extends ResponseProgress {
  usage(): VendorUsage | undefined;
  upstreamId(): string | undefined;
  serviceTier(): string | undefined;
}

/** Reads the progress on access, because it changes while the response is read. */
abstract class ProgressReport<Progress extends ResponseProgress> implements TextReport {
  constructor(protected readonly progress: Progress) {}

  abstract usage(): VendorUsage | undefined;
  abstract upstreamId(): string | undefined;
  abstract serviceTier(): string | undefined;

  get finished(): boolean {
    return this.progress.finished;
  }

  get sawOutput(): boolean {
    return this.progress.sawOutput;
  }

  get finishReason(): FinishReason | undefined {
    return this.progress.finishReason;
  }

  get nativeFinishReason(): string | null | undefined {
    return this.progress.nativeFinishReason;
  }

  text(): string[] {
    return this.progress.text();
  }
}

/** The report of a vendor that sends the client's own format. */
export class RelayedReport extends ProgressReport<ResponseProgress & WireReport> {
  #read: { readonly from: unknown; readonly report: VendorUsage | undefined } | undefined;

  constructor(
    progress: ResponseProgress & WireReport,
    private readonly format: ClientFormat,
  ) {
    super(progress);
  }

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
export class ConversationReport extends ProgressReport<ResponseProgress> {
  constructor(
    private readonly vendor: ConversationResponse,
    progress: ResponseProgress,
  ) {
    super(progress);
  }

  usage(): VendorUsage | undefined {
    return readUsage(this.vendor.usageFormat, this.vendor.usage());
  }

  upstreamId(): string | undefined {
    return this.vendor.upstreamId();
  }

  serviceTier(): string | undefined {
    return this.vendor.serviceTier?.() ?? tierOf(this.vendor.usage());
  }
}

/** Some vendors report the service tier together with the usage. */
function tierOf(usage: unknown): string | undefined {
  const { service_tier: tier } = (usage ?? {}) as { service_tier?: unknown };
  return typeof tier === 'string' ? tier : undefined;
}
