import type { CallerPlace } from '../../kernel/caller-place.js';
import type { CallFacts } from '../../kernel/call-facts.js';
import type { Nano } from '../../kernel/money.js';
import type { Principal } from '../../kernel/principal.js';
import type { RemainingRates } from '../../rate-limits/remaining-rate.js';
import type { InferenceContext } from '../task.js';

/** The context of the caller that caused a shared call. The call may continue after this caller disconnected. */
export class SharedContext implements InferenceContext {
  constructor(
    private readonly first: InferenceContext,
    /** Aborted when the last reader disconnects. */
    readonly signal: AbortSignal,
    readonly onCharge: NonNullable<InferenceContext['onCharge']>,
  ) {}

  get caller(): Principal {
    return this.first.caller;
  }

  get place(): CallerPlace | undefined {
    return this.first.place;
  }

  get user(): string | undefined {
    return this.first.user;
  }

  get session(): string | undefined {
    return this.first.session;
  }

  get sessionLimit(): Nano | undefined {
    return this.first.sessionLimit;
  }

  get tags(): readonly string[] | undefined {
    return this.first.tags;
  }

  onRates(left: RemainingRates): void {
    this.first.onRates?.(left);
  }

  get app(): string | undefined {
    return this.first.app;
  }

  get origin(): string | undefined {
    return this.first.origin;
  }

  get facts(): CallFacts | undefined {
    return this.first.facts;
  }

  get namesChannel(): boolean | undefined {
    return this.first.namesChannel;
  }
}
