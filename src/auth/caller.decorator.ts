import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from '../kernel/principal.js';
import type { AuthenticatedRequest } from './authenticated-request.js';

/** The principal that the guard resolved. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().principal!,
);
