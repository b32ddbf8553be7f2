import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ConsoleSession, SessionRequest } from './console-session.js';

/** The session that the guard resolved. */
export const CurrentSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): ConsoleSession =>
    context.switchToHttp().getRequest<SessionRequest>().consoleSession!,
);
