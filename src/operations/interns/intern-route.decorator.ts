import { SetMetadata } from '@nestjs/common';

export const INTERN_ROUTE_METADATA = 'gatehouse:intern-route';

/** What a route of the group does, for the checks that come before its body is read. */
export interface InternRoute {
  /** Answers 404 while INTERN_WRITES_ENABLED is false. */
  readonly writes: boolean;
  /** Needs a workspace that allows interns. */
  readonly needsCapability?: boolean;
}

export const InternRoute = (route: InternRoute): MethodDecorator => SetMetadata(INTERN_ROUTE_METADATA, route);
