import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AuthenticatedRequest } from '../../auth/authenticated-request.js';
import { Config } from '../../config/config.js';
import { Programme } from '../../interns/programme.js';
import { notFound, unavailable } from '../../kernel/errors/errors.js';

const VAULT_WRITES_METADATA = 'gatehouse:vault-writes';

/** The route returns 503 while VAULT_WRITES_ENABLED is false. */
export const WritesVault = (): MethodDecorator => SetMetadata(VAULT_WRITES_METADATA, true);

/**
 * Runs before the body is read. Callers outside the programme get 404. Writes get 503 while VAULT_WRITES_ENABLED is
 * false.
 */
@Injectable()
export class VaultGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly programme: Programme,
    private readonly config: Config,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const { membership } = await this.programme.membershipOf(principal!);
    if (membership !== 'admitted') throw notFound('Not found');
    const writes = this.reflector.get<boolean | undefined>(VAULT_WRITES_METADATA, context.getHandler()) ?? false;
    if (writes && !this.config.values.VAULT_WRITES_ENABLED) throw unavailable('Vault writes are not enabled');
    return true;
  }
}
