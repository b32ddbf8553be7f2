import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Principal } from '../../kernel/principal.js';
import { callerPlaceOf } from './called-from.decorator.js';

/** The principal that the guard resolved. Includes the place of the request, because audit rows contain both. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const http = context.switchToHttp();
  const request = http.getRequest<Request & { readonly principal?: Principal }>();
  return { ...request.principal!, place: callerPlaceOf(request, http.getResponse<Response>()) };
});
