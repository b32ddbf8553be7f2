import { Injectable } from '@nestjs/common';
import type { Attempt, OpenCall } from '../billing/open-call.js';
import type { Capability } from '../catalogue/catalogue-model.js';
import { GatewayError, type ErrorKind } from '../kernel/errors.js';
import { CallRecorder, type CallRecord } from './call-recorder.js';
import { mayFallBack, type PlannedEndpoint } from './route-planner.js';

/** Where only the operator's credential or package is missing (wire-notes sections 8 and 12). */
const WITHOUT_CREDENTIAL: Partial<Record<Capability, ErrorKind>> = { image: 'provider_failed', speech: 'unavailable' };

/** Walks a plan: tries one endpoint after the other, moving the reservation along, while nothing has reached the caller. */
@Injectable()
export class Attempts {
  constructor(private readonly recorder: CallRecorder) {}

  async walk<T>(
    call: OpenCall,
    record: CallRecord,
    plan: readonly PlannedEndpoint[],
    attemptAt: (planned: PlannedEndpoint) => Attempt,
    work: (planned: PlannedEndpoint) => Promise<T>,
    /** Whether something of this call has reached the caller, after which there is no second try. */
    committed: () => boolean = () => false,
  ): Promise<T> {
    let failure: unknown;
    for (const [index, planned] of plan.entries()) {
      if (index > 0) {
        await call.moveTo(attemptAt(planned));
        record.provider = await this.recorder.providerNo(planned.endpoint.provider);
      }
      try {
        if (planned.missing) throw new GatewayError(WITHOUT_CREDENTIAL[planned.endpoint.capability] ?? 'unavailable', planned.missing);
        return await work(planned);
      } catch (error) {
        if (!mayFallBack(error) || committed()) throw error;
        failure = error;
      }
    }
    throw failure;
  }
}
