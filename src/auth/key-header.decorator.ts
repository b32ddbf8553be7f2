import { SetMetadata } from '@nestjs/common';

export const KEY_HEADER_METADATA = 'gatehouse:key-header';

/** If there is no Authorization header, the key is also read from this header. The name is in lower case. */
export const KeyHeader = (name: string): MethodDecorator & ClassDecorator => SetMetadata(KEY_HEADER_METADATA, name);
