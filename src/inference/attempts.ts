import { Injectable } from '@nestjs/common';
import type { Attempt, OpenCall } from '../billing/open-call.js';
import { GatewayError } from '../kernel/errors.js';
import type { SecretValue } from '../kernel/secret-value.js';
import { CredentialDirectory } from '../secrets/credential-directory.js';
import { CallRecorder, type CallRecord } from './call-recorder.js';
import { EndpointHealth, NONE_CALLABLE } from './endpoint-health.js';
import { EndpointPace, type TryTiming } from './endpoint-pace.js';
import type { InferenceContext } from './inference-context.js';
import type { PlannedEndpoint } from './route-planner.js';

/** A try under way: the endpoint, and its opened credential for as long as the call lasts. */
export interface Try {
  readonly planned: PlannedEndpoint;
  readonly credential: SecretValue | null;
  /** Whether the caller's own credential is in use: then the inference costs no credits. */
  readonly isByok: boolean;
  readonly timing: TryTiming;
  /** Takes how an answer that has only begun ends: the health of its endpoint depends on that. */
  readonly lasts: (end: Promise<void>) => void;
}

/** Walks a plan: tries one endpoint after the other, moving the reservation along, while nothing has reached the caller. */
@Injectable()
export class Attempts {
  constructor(
    private readonly recorder: CallRecorder,
    private readonly credentials: CredentialDirectory,
    private readonly health: EndpointHealth,
    private readonly pace: EndpointPace,
  ) {}

  /** What a planned try reserves. */
  reservationOf({ worstCase, ownCredentialId }: PlannedEndpoint, { caller }: InferenceContext): Attempt {
    return ownCredentialId === undefined
      ? { worstCase, source: 'platform' }
      : { worstCase, source: 'own_credential', countsInLimit: caller.countsByok };
  }

  async walk<T>(
    call: OpenCall,
    record: CallRecord,
    plan: readonly PlannedEndpoint[],
    context: InferenceContext,
    work: (attempt: Try) => Promise<T>,
    /** Whether something of this call has reached the caller, after which there is no second try. */
    committed: () => boolean = () => false,
  ): Promise<T> {
    let failure: unknown;
    for (const [index, planned] of plan.entries()) {
      if (index > 0) {
        await call.moveTo(this.reservationOf(planned, context));
        record.provider = await this.recorder.providerNo(planned.endpoint.provider);
      }
      try {
        if (planned.missing)
          throw new GatewayError(NONE_CALLABLE[planned.endpoint.capability] ?? 'unavailable', planned.missing);
        const credential =
          planned.ownCredentialId === undefined
            ? planned.credential
            : await this.credentials.open(planned.ownCredentialId, context.caller, context.place);
        return await this.health.watch(planned.endpoint, (lasts) =>
          work({
            planned,
            credential,
            isByok: planned.ownCredentialId !== undefined,
            timing: this.pace.time(planned.endpoint),
            lasts,
          }),
        );
      } catch (error) {
        if (!mayFallBack(error) || committed() || context.signal.aborted) throw error;
        failure = error;
      }
    }
    throw failure;
  }
}

/** Faults that the next endpoint may mend; what the caller got wrong it may not (wire-notes section 12). */
function mayFallBack(error: unknown): boolean {
  return (
    !(error instanceof GatewayError) ||
    !['invalid_request', 'payload_too_large', 'caller_gone', 'insufficient_credits', 'unauthenticated'].includes(
      error.kind,
    )
  );
}
