import { SetMetadata } from '@nestjs/common';

export const VAULT_WRITES_METADATA = 'gatehouse:vault-writes';

/** The route returns 503 while VAULT_WRITES_ENABLED is false. */
export const WritesVault = (): MethodDecorator => SetMetadata(VAULT_WRITES_METADATA, true);
