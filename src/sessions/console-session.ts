import type { AuthenticatedRequest } from '../auth/authenticated-request.js';
import type { SessionKeys } from '../auth/session-keys.js';

/** How a session was opened. Nothing but the lifetime of its keys depends on it. */
export type SessionOpening = 'code' | 'key';

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

/** Whether the session acts with one key: it was opened with it, or by a user without the management right. */
export const hasOneKey = ({ keys }: ConsoleSession): boolean => keys.main === keys.calls;

/** A request after the guard has resolved its session. */
export interface SessionRequest extends AuthenticatedRequest {
  consoleSession?: ConsoleSession;
}
