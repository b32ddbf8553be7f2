import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { redact } from '../kernel/redact.js';

/** The calling application as its own headers name it. */
export interface ClientApplicationHeaders {
  readonly app?: string;
  readonly origin?: string;
}

const LONGEST = 200;

/** Reads X-Title and HTTP-Referer (or Origin), which OpenRouter clients send. */
export const ClientApplication = createParamDecorator((_: unknown, context: ExecutionContext): ClientApplicationHeaders => {
  const { headers } = context.switchToHttp().getRequest<Request>();
  return { app: plain(headers['x-title'] ?? headers['x-openrouter-title']), origin: plain(headers['http-referer'] ?? headers.referer ?? headers.origin) };
});

function plain(header: string | string[] | undefined): string | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  // A careless page leaves a token in its address: it is no part of the origin that the usage records keep.
  return text ? redact(text).slice(0, LONGEST) : undefined;
}
