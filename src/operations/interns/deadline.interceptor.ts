import { Injectable, type CallHandler, type NestInterceptor } from '@nestjs/common';
import { throwError, timeout, type Observable } from 'rxjs';
import { GatewayError } from '../../kernel/errors.js';

const DEADLINE_MS = 10_000;

/** Ends a request of the group that takes too long. What it began goes on; the same request then finds it, or finishes it. */
@Injectable()
export class DeadlineInterceptor implements NestInterceptor {
  intercept(_context: unknown, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      timeout({
        each: DEADLINE_MS,
        with: () => throwError(() => new GatewayError('deadline_exceeded', 'Operation timed out after 10s. Please try again later.', { metadata: { reason: 'timeout', retryable: true } })),
      }),
    );
  }
}
