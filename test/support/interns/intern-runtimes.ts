import { join } from 'node:path';
import type { DockerEngine } from '../engines/docker-engine.js';

/** The runtime driver for the interns of a test. */
export interface InternRuntime {
  readonly env: Readonly<Record<string, string>>;
  /** The disk of an intern, as this process sees it. */
  homeOf(dataDir: string, internId: string): string;
}

export const PROCESSES: InternRuntime = {
  env: { INTERN_RUNTIME: 'process' },
  homeOf: (dataDir, internId) => join(dataDir, 'interns', internId, 'home'),
};

/** `image`: the name without the tag, as passed to `dockerEngineHere`. */
export const containersOf = ({ socketPath, dataRoot }: DockerEngine, image: string): InternRuntime => ({
  env: {
    INTERN_RUNTIME: 'docker',
    INTERN_DOCKER_SOCKET: socketPath,
    INTERN_DOCKER_IMAGE: `${image}:test`,
    INTERN_MEMORY_MB: '256',
  },
  homeOf: (_, internId) => join(dataRoot, 'volumes', `gatehouse-intern-${internId}`, '_data'),
});
