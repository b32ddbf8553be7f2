import { SetMetadata } from '@nestjs/common';

export const KEY_HEADER_METADATA = 'gatehouse:key-header';

/** Names a header from which the key is read if the request has no Authorization header. The name is in lower case. */
export const KeyHeader = (name: string): MethodDecorator & ClassDecorator => SetMetadata(KEY_HEADER_METADATA, name);
