import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AuthenticatedRequest } from '../../auth/authenticated-request.js';
import { Config } from '../../config/config.js';
import { internErrors } from '../../interns/intern.errors.js';
import { Programme } from '../../interns/programme.js';
import { recordArrival } from './deadline.interceptor.js';
import { INTERN_ROUTE_METADATA, type InternRoute } from './intern-route.decorator.js';

/**
 * Checks before the body is read, in this order: programme (404), writes disabled (404), acting member and capability
 * (403). The global guards have already checked the key, the regional hostname, and the scope of an intern's own key.
 */
@Injectable()
export class ProgrammeGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly programme: Programme,
    private readonly config: Config,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = this.reflector.get<InternRoute>(INTERN_ROUTE_METADATA, context.getHandler());
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    recordArrival(request);
    const { principal } = request;
    const { membership, workspaceAllowsInterns } = await this.programme.membershipOf(principal!);
    if (membership === 'outside') throw internErrors.notFound();
    if (route.writes && !this.config.values.INTERN_WRITES_ENABLED) throw internErrors.notFound();
    if (membership === 'no-member') throw internErrors.noActingUser();
    if (route.needsCapability && !workspaceAllowsInterns) throw internErrors.capabilityUnavailable();
    return true;
  }
}
