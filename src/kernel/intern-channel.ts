const CHANNEL = Symbol('channel of an intern');
type Request = object & { [CHANNEL]?: string };

/** Marks a request that came through the channel of an intern's runtime. No header or body can set the mark. */
export function markChannel(request: Request, internId: string): void {
  request[CHANNEL] = internId;
}

/** The intern whose channel a request came through; undefined for requests from outside. */
export const internOfChannel = (request: Request): string | undefined => request[CHANNEL];
