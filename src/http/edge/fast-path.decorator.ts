import { SetMetadata } from '@nestjs/common';

/** Nest copies the metadata of a controller method to the handler that it registers with the HTTP adapter. */
export const FAST_PATH_METADATA = 'gatehouse:fast-path';

/**
 * Serves this POST route without Express's layers (see EdgeAdapter). Use it only for a route without parameters. No
 * route that is registered earlier may match its path, because the fast path would bypass that earlier route.
 */
export const FastPath = (): MethodDecorator => (target, name, descriptor) => {
  // The value identifies the method, so that EdgeAdapter can find decorated methods without a route.
  SetMetadata(FAST_PATH_METADATA, descriptor.value)(target, name, descriptor);
};
