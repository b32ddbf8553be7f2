import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { throwError, timeout, type Observable } from 'rxjs';
import { GatewayError } from '../../kernel/errors.js';

/** Of a request of the group, the reading of its body included. */
export const DEADLINE_MS = 10_000;

const begun = new WeakMap<object, number>();

/** Notes that a request has come; called by the group's guard, which is the first to see it. */
export const noteBegin = (request: object): void => void begun.set(request, performance.now());

/** Ends a request of the group that takes too long. What it began goes on; the same request then finds it, or finishes it. */
@Injectable()
export class DeadlineInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const passed = performance.now() - begun.get(context.switchToHttp().getRequest<object>())!;
    return next.handle().pipe(
      timeout({
        each: Math.max(0, DEADLINE_MS - passed),
        with: () =>
          throwError(
            () =>
              new GatewayError('deadline_exceeded', 'Operation timed out after 10s. Please try again later.', {
                metadata: { reason: 'timeout', retryable: true },
              }),
          ),
      }),
    );
  }
}
