import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** The caller's `User-Agent`. Unlike `@Headers()`, it adds no parameter to the OpenAPI document. */
export const UserAgent = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | undefined =>
    context.switchToHttp().getRequest<Request>().headers['user-agent'],
);
