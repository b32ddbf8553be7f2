import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { isConsoleRequest } from '../kernel/console-request.js';
import { notFound } from '../kernel/errors/errors.js';

/**
 * Refuses requests that Express routes here although their path only resembles the console's, such as /CONSOLE/session.
 */
@Injectable()
export class ConsoleOnlyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (!isConsoleRequest(context.switchToHttp().getRequest<object>())) throw notFound('No such operation');
    return true;
  }
}
