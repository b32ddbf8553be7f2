import type { ContainerCreateOptions } from 'dockerode';
import type { EgressWay, RuntimeBoot, RuntimePlace } from '../runtime.driver.js';
import { agentArguments, agentFolder, environmentOf, proxyUrl } from './agent-program.js';

/** Mount point of the intern's disk. */
const HOME = '/home/intern';
const AGENT_FOLDER = '/opt/gatehouse/agent';
const EGRESS_FOLDER = '/run/gatehouse';

/** The container's loopback port that forwards to the proxy. */
export const BRIDGE = { port: 3128, socket: `${EGRESS_FOLDER}/egress.sock` } as const;

const TRUST = { own: `${EGRESS_FOLDER}/authority.pem`, all: `${EGRESS_FOLDER}/authorities.pem` };

const FIRST_USER_ID = 2_000_000;
const USER_IDS = 1_000_000;
const MAX_PROCESSES = 256;
const CPUS = 1;
const MIB = 1_048_576;

/** The name of the container and of its volume. */
export const containerName = ({ internId }: RuntimePlace): string => `gatehouse-intern-${internId}`;

const userOf = ({ no }: RuntimePlace): number => FIRST_USER_ID + (no % USER_IDS);

/** Without NoCopy, the engine resets the owner of an empty volume to the owner of the image's folder at every mount. */
const disk = (place: RuntimePlace) =>
  ({
    Type: 'volume',
    Source: containerName(place),
    Target: HOME,
    VolumeOptions: { NoCopy: true, Labels: {}, DriverConfig: { Name: 'local', Options: {} } },
  }) as const;

/** Restrictions of every container. */
const RESTRICTIONS = {
  NetworkMode: 'none',
  ReadonlyRootfs: true,
  SecurityOpt: ['no-new-privileges'],
  CapDrop: ['ALL'],
  PidsLimit: MAX_PROCESSES,
  LogConfig: { Type: 'none', Config: {} },
};

/** A container that gives the volume to the intern's user and exits. */
export function ownershipOf(place: RuntimePlace, image: string): ContainerCreateOptions {
  const user = userOf(place);
  return {
    Image: image,
    User: '0:0',
    Entrypoint: ['node'],
    Cmd: [
      '-e',
      `const fs = require('node:fs'); fs.chownSync('${HOME}', ${user}, ${user}); fs.chmodSync('${HOME}', 0o700)`,
    ],
    HostConfig: { ...RESTRICTIONS, CapAdd: ['CHOWN', 'FOWNER'], Mounts: [disk(place)] },
  };
}

export function containerOfIntern(
  { place, fence, egress }: RuntimeBoot,
  { image, memoryMb }: { readonly image: string; readonly memoryMb: number },
): ContainerCreateOptions {
  const user = userOf(place);
  return {
    name: containerName(place),
    Image: image,
    User: `${user}:${user}`,
    WorkingDir: HOME,
    Entrypoint: ['node'],
    Cmd: agentArguments(AGENT_FOLDER),
    Env: Object.entries(environmentOf(HOME, proxyOf(egress), TRUST)).map(([name, value]) => `${name}=${value}`),
    Labels: { 'gatehouse.intern': place.internId, 'gatehouse.fence': String(fence) },
    // When the connection of the supervisor that started the container closes, the standard input ends, and the agent
    // ends too.
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: {
      ...RESTRICTIONS,
      // When its lease ends (`until` in watch.ts), an agent kills itself by SIGKILL. Process 1 of a container cannot do
      // this, so an init is process 1.
      Init: true,
      Memory: memoryMb * MIB,
      MemorySwap: memoryMb * MIB,
      NanoCpus: CPUS * 1_000_000_000,
      Tmpfs: { '/tmp': 'rw,noexec,nosuid,nodev,size=64m,mode=1777' },
      Mounts: [
        disk(place),
        { Type: 'bind', Source: agentFolder, Target: AGENT_FOLDER, ReadOnly: true },
        ...(egress
          ? [{ Type: 'bind', Source: egress.socketFolder, Target: EGRESS_FOLDER, ReadOnly: true } as const]
          : []),
      ],
    },
  };
}

/** The URL, inside the container, of the bridge to the egress proxy; null without a proxy. */
export const proxyOf = (egress: EgressWay | null): string | null => egress && proxyUrl(egress, BRIDGE.port);
