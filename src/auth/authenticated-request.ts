import type { IncomingMessage } from 'node:http';
import type { Principal } from '../kernel/principal.js';

/** A request once the guard has seen its key. */
export interface AuthenticatedRequest extends IncomingMessage {
  principal?: Principal;
}
