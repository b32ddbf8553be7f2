import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import { ACCESS_METADATA, type AccessClass } from '../kernel/access.js';

export const BEARER = 'bearer';

/** Says who may call a route, to the guard and to the OpenAPI document at once. A route without it is refused. */
export function Access(accessClass: AccessClass): MethodDecorator & ClassDecorator {
  return accessClass === 'public'
    ? SetMetadata(ACCESS_METADATA, accessClass)
    : applyDecorators(SetMetadata(ACCESS_METADATA, accessClass), ApiBearerAuth(BEARER));
}
