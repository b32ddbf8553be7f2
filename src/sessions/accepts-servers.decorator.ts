import { SetMetadata } from '@nestjs/common';

export const SERVERS_METADATA = 'gatehouse:accepts-servers';

/**
 * Marks a public route below /console that other servers call. Requests of any origin are accepted, and the session
 * cookie is ignored, so the route must authenticate the sender.
 */
export const AcceptsServers = (): MethodDecorator => SetMetadata(SERVERS_METADATA, true);
