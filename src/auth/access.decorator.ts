import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import { ACCESS_EXTENSION, ACCESS_METADATA, type AccessClass } from '../kernel/access-matrix.js';

export const BEARER_SCHEME = 'bearer';

/** Declares who may call a route, for the guard and the OpenAPI document. A route without it is refused. */
export const Access = (accessClass: AccessClass): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SetMetadata(ACCESS_METADATA, accessClass),
    ApiExtension(ACCESS_EXTENSION, accessClass),
    ...(accessClass === 'public' ? [] : [ApiBearerAuth(BEARER_SCHEME)]),
  );
