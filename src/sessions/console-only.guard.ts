import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { isConsoleRequest } from '../kernel/console-request.js';
import { notFound } from '../kernel/errors/errors.js';

/**
 * Refuses requests whose path only resembles a path of the console, such as /CONSOLE/session. Express routes them here,
 * because it ignores the case of paths.
 */
@Injectable()
export class ConsoleOnlyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (!isConsoleRequest(context.switchToHttp().getRequest<object>())) throw notFound('No such operation');
    return true;
  }
}
