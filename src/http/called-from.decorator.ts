import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { CallerPlace } from '../kernel/caller-place.js';
import { requestIdOf } from './request-id.js';

/** Where a request came from. */
export function placeOf(request: Request, response: Response): CallerPlace {
  return { address: request.ip ?? null, requestId: requestIdOf(response) };
}

/** Where the request came from: passed on by controllers to whatever leaves an audit row. */
export const CalledFrom = createParamDecorator((_: unknown, context: ExecutionContext): CallerPlace => {
  const http = context.switchToHttp();
  return placeOf(http.getRequest<Request>(), http.getResponse<Response>());
});
