import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { CallerPlace } from '../../kernel/caller-place.js';
import { requestIdOf } from './request-id.js';

/**
 * The address of the caller and the id of a request. The address is computed on access, because few requests need it.
 */
class RequestPlace implements CallerPlace {
  constructor(
    private readonly request: Request,
    private readonly response: Response,
  ) {}

  get address(): string | null {
    return this.request.ip ?? null;
  }

  get requestId(): string {
    return requestIdOf(this.response);
  }
}

export const callerPlaceOf = (request: Request, response: Response): CallerPlace => new RequestPlace(request, response);

/** The place of a request without a key, for audit rows. A caller with a key has it in its principal (`Caller`). */
export const CalledFrom = createParamDecorator((_: unknown, context: ExecutionContext): CallerPlace => {
  const http = context.switchToHttp();
  return callerPlaceOf(http.getRequest<Request>(), http.getResponse<Response>());
});
