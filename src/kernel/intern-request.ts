const INTERN = Symbol('intern');
type Request = object & { [INTERN]?: string };

/** Marks a request that an intern's runtime sent to the service host. No header or body can set the mark. */
export function markInternRequest(request: Request, internId: string): void {
  request[INTERN] = internId;
}

/** The intern whose runtime sent a request through the egress proxy; undefined for all other requests. */
export const internOfRequest = (request: Request): string | undefined => request[INTERN];
