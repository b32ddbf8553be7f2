import type { NextFunction, Request, Response } from 'express';
import { randomUUID } from 'node:crypto';
import { isUuid } from '../kernel/ids.js';

/** Takes the caller's X-Request-Id where it is a UUID, else makes one. It is echoed and recorded, and any freer text could hold a secret. */
export function noteRequestId(request: Request, response: Response): void {
  const given = request.headers['x-request-id'];
  response.setHeader('x-request-id', typeof given === 'string' && isUuid(given) ? given : randomUUID());
}

export function withRequestId(request: Request, response: Response, next: NextFunction): void {
  noteRequestId(request, response);
  next();
}
