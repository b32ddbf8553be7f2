import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SentFile } from './sent-file.js';

/** The unread file of a multipart/form-data body. The route must have `@ReadsBody({ as: 'stream' })`. */
export const Sent = createParamDecorator((_: unknown, context: ExecutionContext): SentFile => {
  const http = context.switchToHttp();
  return new SentFile(http.getRequest<Request>(), http.getResponse<Response>());
});
