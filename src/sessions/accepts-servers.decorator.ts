import { SetMetadata } from '@nestjs/common';

export const SERVERS_METADATA = 'gatehouse:accepts-servers';

/**
 * For a public route below /console that other servers call. Cookies are ignored there; the request must prove its
 * origin itself.
 */
export const AcceptsServers = (): MethodDecorator => SetMetadata(SERVERS_METADATA, true);
