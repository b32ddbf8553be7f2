import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import { internErrors } from '../../interns/intern.errors.js';
import { lengthInCharacters } from '../../kernel/text/text.js';

const MAX_LENGTH = 255;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Refuses an Idempotency-Key that is empty or too long. */
export function checkIdempotencyKey(headers: IncomingHttpHeaders): void {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string') return;
  if (key === '')
    throw internErrors.invalidBody('The Idempotency-Key header is empty: send 1 to 255 characters, or leave it out');
  if (lengthInCharacters(asMeant(key)) > MAX_LENGTH)
    throw internErrors.invalidBody(`The Idempotency-Key header is longer than ${MAX_LENGTH} characters`);
}

/** Node decodes headers as Latin-1, but most clients send UTF-8. */
function asMeant(header: string): string {
  try {
    return UTF8.decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}

/** The idempotency key in the request; undefined = there is none, and a key is derived from the request. */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined => {
  const key = context.switchToHttp().getRequest<Request>().headers['idempotency-key'];
  return typeof key === 'string' ? key : undefined;
});
