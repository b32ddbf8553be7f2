/** The cookie of a session. */
export const SESSION_COOKIE = 'gatehouse_session';
/** The security scheme of the OpenAPI document for operations of a session on itself. */
export const SESSION_SCHEME = 'console_session';

const MARK = Symbol('request of the console');
type Marked = { [MARK]?: boolean };

/** Marks a request below /console. Only the cookie of a session authenticates such a request. */
export function markConsoleRequest(request: object): void {
  (request as Marked)[MARK] = true;
}

export const isConsoleRequest = (request: object): boolean => (request as Marked)[MARK] === true;
