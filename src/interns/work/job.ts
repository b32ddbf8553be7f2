import type { RuntimePlace } from '../../runtimes/runtime.driver.js';
import type { InternStatus } from '../lifecycle.js';

/** An intern in the hands of one worker. */
export interface Job extends RuntimePlace {
  /** Names this taking of the lease, never used twice. */
  readonly claim: string;
  /** What every write of the worker must match. */
  readonly fence: number;
  readonly status: InternStatus;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly creatorUserId: string;
  readonly name: string;
  readonly instructions: string | null;
  readonly model: string | null;
  readonly hostname: string | null;
  readonly attempts: number;
  /** A runtime may be left from before. */
  readonly wasBooted: boolean;
  readonly isPastDeadline: boolean;
  readonly lossAcknowledged: boolean;
}

/** The intern is no longer in this worker's hands: nothing was written, and nothing more must be done. */
export class LostLease extends Error {
  override name = 'LostLease';
}
