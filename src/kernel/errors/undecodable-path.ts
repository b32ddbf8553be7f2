const MARK = Symbol('undecodable path');
type Marked = { [MARK]?: boolean };

/** Marks a request whose path is not correctly URL-encoded. The request is refused after authentication. */
export function markUndecodable(request: object): void {
  (request as Marked)[MARK] = true;
}

export const isUndecodable = (request: object): boolean => (request as Marked)[MARK] === true;
