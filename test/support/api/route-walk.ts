import { ACCESS_EXTENSION, type AccessClass } from '../../../src/kernel/access/access-matrix.js';
import { PERMISSION_EXTENSION, type Permission } from '../../../src/kernel/access/permissions.js';
import { routesOf, type OpenApiDocument } from './openapi-document.js';

/** A route of the OpenAPI document that needs a key. */
export interface GuardedRoute {
  /** The name in the access matrix: method and path, parameters as {}. */
  readonly name: string;
  readonly method: string;
  readonly accessClass: Exclude<AccessClass, 'public'>;
  readonly permission: Permission | undefined;
}

interface Extended {
  readonly [ACCESS_EXTENSION]: AccessClass;
  readonly [PERMISSION_EXTENSION]?: Permission;
}

/** The routes that need a key. */
export function guardedRoutes(document: OpenApiDocument): GuardedRoute[] {
  return routesOf(document).flatMap(({ method, path, operation }) => {
    const { [ACCESS_EXTENSION]: accessClass, [PERMISSION_EXTENSION]: permission } = operation as unknown as Extended;
    if (accessClass === 'public') return [];
    const template = path.replace(/^\/api\/v1/, '').replaceAll(/\{[^}]*\}/g, '{}');
    return [{ name: `${method.toUpperCase()} ${template}`, method: method.toUpperCase(), accessClass, permission }];
  });
}
