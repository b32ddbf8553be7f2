import type { Request, Response } from 'express';
import type { Principal } from '../kernel/principal.js';
import { bodyBytes } from '../http/body/body-reader.guard.js';
import { TextCallContext, type CallMembers } from './text-call-context.js';

/** A request of text as it arrived, with its declared members. */
export interface ReceivedText<Body> {
  readonly body: Body;
  /** All members of the body, and its JSON. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  readonly caller: Principal;
  readonly session: string | null | undefined;
}

/** `defaultSession`: the conversation of a request that names none. */
export function receivedText<Body extends CallMembers>(
  body: Body,
  request: Request & { readonly principal?: Principal },
  response: Response,
  defaultSession?: string | null,
): { readonly sent: ReceivedText<Body>; readonly context: TextCallContext } {
  const caller = request.principal!;
  const context = new TextCallContext(request, response, caller, body);
  const session = context.facts.sessionId ?? defaultSession;
  const members = request.body as Readonly<Record<string, unknown>>;
  return { sent: { body, members, bytes: bodyBytes(request), caller, session }, context };
}
