import type { AuthenticatedRequest } from '../auth/authenticated-request.js';
import type { SessionKeys } from '../auth/session-keys.js';

/** How a session was opened. Nothing but the lifetime of its keys depends on it. */
export type SessionOpening = 'code' | 'key' | 'oidc';

/** The person at an identity provider who opened a session, and the provider's own session. */
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

/** A request after the guard has resolved its session. */
export interface SessionRequest extends AuthenticatedRequest {
  consoleSession?: ConsoleSession;
}
