import type { ConfigValues } from '../config/variables.js';

/**
 * The warning for the operator if interns run as the user of this service, because that user can read the service's
 * memory and files. `uid`: the user of this process; undefined = the system has no user ids. If the service runs as
 * root, each intern has its own user.
 */
export function sharedUserWarning(
  { INTERN_RUNTIME }: Pick<ConfigValues, 'INTERN_RUNTIME'>,
  uid: number | undefined,
): string | undefined {
  if (INTERN_RUNTIME !== 'process' || uid === 0) return undefined;
  return (
    'Interns run as the user of this service (INTERN_RUNTIME=process): an agent that breaks out of its tools has the ' +
    'master key, and with it every secret. For agents that you do not trust set INTERN_RUNTIME=docker, or none.'
  );
}
