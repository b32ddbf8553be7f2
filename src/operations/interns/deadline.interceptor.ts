import {
  createParamDecorator,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { throwError, timeout, type Observable } from 'rxjs';
import { GatewayError } from '../../kernel/errors/errors.js';

/** The time limit of a request to an intern route, including reading its body. */
export const DEADLINE_MS = 10_000;

/** The time that a waiting request reserves for its own response. */
const RESERVE_MS = 1500;

const arrivals = new WeakMap<object, number>();

/** Records the arrival of a request; called by ProgrammeGuard, which runs first. */
export const recordArrival = (request: object): void => void arrivals.set(request, performance.now());

/** The time (on the clock of performance.now()) until which a request may wait for another request. */
export const WaitUntil = createParamDecorator(
  (_: unknown, context: ExecutionContext): number =>
    arrivals.get(context.switchToHttp().getRequest<object>())! + DEADLINE_MS - RESERVE_MS,
);

/**
 * Returns deadline_exceeded for a request to an intern route that takes longer than DEADLINE_MS. The work of the
 * request continues. A repeated request returns the result of this work, or completes it.
 */
@Injectable()
export class DeadlineInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const passed = performance.now() - arrivals.get(context.switchToHttp().getRequest<object>())!;
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
