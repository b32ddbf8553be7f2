import type { IncomingMessage } from 'node:http';
import type { Principal } from '../kernel/principal.js';
import type { SessionKeys } from './session-keys.js';

/** A request after the guard has resolved its key. */
export interface AuthenticatedRequest extends IncomingMessage {
  principal?: Principal;
  /** Set for a request of the console: the keys of its session. Headers with keys are then ignored. */
  sessionKeys?: SessionKeys;
}
