import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { CallerPlace } from '../kernel/caller-place.js';

/** Where the request came from: passed on by controllers to whatever leaves an audit row. */
export const CalledFrom = createParamDecorator((_: unknown, context: ExecutionContext): CallerPlace => {
  const http = context.switchToHttp();
  const requestId = http.getResponse<Response>().getHeader('x-request-id');
  return { address: http.getRequest<Request>().ip ?? null, requestId: typeof requestId === 'string' ? requestId : null };
});
