import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import { ACCESS_EXTENSION, ACCESS_METADATA, type AccessClass } from '../kernel/access/access-matrix.js';
import { PERMISSION_EXTENSION, PERMISSION_METADATA, type Permission } from '../kernel/access/permissions.js';

const BEARER_SCHEME = 'bearer';

type RouteDecorator = MethodDecorator & ClassDecorator;

/**
 * Declares for the guards and the OpenAPI document who may call a route: the classes of keys that are allowed, and the
 * permission that a key with a role needs. Requests to a route without this decorator are refused.
 */
export function Access(accessClass: 'public'): RouteDecorator;
export function Access(accessClass: Exclude<AccessClass, 'public'>, permission: Permission): RouteDecorator;
export function Access(accessClass: AccessClass, permission?: Permission): RouteDecorator {
  const declared = [SetMetadata(ACCESS_METADATA, accessClass), ApiExtension(ACCESS_EXTENSION, accessClass)];
  if (permission === undefined) return applyDecorators(...declared);
  return applyDecorators(
    ...declared,
    SetMetadata(PERMISSION_METADATA, permission),
    ApiExtension(PERMISSION_EXTENSION, permission),
    ApiBearerAuth(BEARER_SCHEME),
  );
}
