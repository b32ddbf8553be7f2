import { SetMetadata } from '@nestjs/common';

export const SERVERS_METADATA = 'gatehouse:accepts-servers';

/**
 * For a public route below /console whose writes come from other servers: no cookie counts there, and what is sent
 * proves itself.
 */
export const AcceptsServers = (): MethodDecorator => SetMetadata(SERVERS_METADATA, true);
