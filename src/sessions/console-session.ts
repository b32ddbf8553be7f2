import type { AuthenticatedRequest } from '../auth/authenticated-request.js';
import type { SessionKeys } from '../auth/session-keys.js';

/** How a session was opened. `key`: by a key, which the session then uses. Other sessions get keys of their own. */
export type SessionOpening = 'code' | 'key' | 'oidc';

/** The identity that opened a session, and the session at the identity provider. */
export interface SessionIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** The claim `sid`. */
  readonly providerSessionId: string | null;
}

/** A browser that is signed in to the console. */
export interface ConsoleSession {
  readonly id: string;
  readonly tokenHash: string;
  readonly accountId: string;
  /** Null for a key without an acting member. */
  readonly userId: string | null;
  readonly openedBy: SessionOpening;
  readonly keys: SessionKeys;
  readonly expiresAt: Date;
}

/** A request whose session the guard has resolved. */
export interface SessionRequest extends AuthenticatedRequest {
  consoleSession?: ConsoleSession;
}
