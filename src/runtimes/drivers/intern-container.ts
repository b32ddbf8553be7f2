import type { ContainerCreateOptions } from 'dockerode';
import type { EgressWay, RuntimeBoot, RuntimePlace } from '../runtime.driver.js';

/** Where the intern's disk is inside. */
export const HOME = '/home/intern';
const AGENT_FOLDER = '/opt/gatehouse';
const EGRESS_FOLDER = '/run/gatehouse';

/** The port of the container's own loopback that leads to the proxy. */
export const BRIDGE = { port: 3128, socket: `${EGRESS_FOLDER}/egress.sock` } as const;

const FIRST_USER_ID = 2_000_000;
const USER_IDS = 1_000_000;
const MOST_PROCESSES = 256;
const CPUS = 1;
const MIB = 1_048_576;

/** Of the container and of its volume. */
export const nameOf = ({ internId }: RuntimePlace): string => `gatehouse-intern-${internId}`;

const userOf = ({ no }: RuntimePlace): number => FIRST_USER_ID + (no % USER_IDS);

/** Without NoCopy the engine gives an empty volume the owner of the image's folder again, at every mount. */
const disk = (place: RuntimePlace) =>
  ({
    Type: 'volume',
    Source: nameOf(place),
    Target: HOME,
    VolumeOptions: { NoCopy: true, Labels: {}, DriverConfig: { Name: 'local', Options: {} } },
  }) as const;

/** What every container of ours gives up. */
const LOCKED_DOWN = {
  NetworkMode: 'none',
  ReadonlyRootfs: true,
  SecurityOpt: ['no-new-privileges'],
  CapDrop: ['ALL'],
  PidsLimit: MOST_PROCESSES,
  LogConfig: { Type: 'none', Config: {} },
};

/** Gives the volume to the intern's user and ends. */
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
    HostConfig: { ...LOCKED_DOWN, CapAdd: ['CHOWN', 'FOWNER'], Mounts: [disk(place)] },
  };
}

export function containerOf(
  { place, fence, egress }: RuntimeBoot,
  { image, memoryMb }: { readonly image: string; readonly memoryMb: number },
  agent: string,
): ContainerCreateOptions {
  const user = userOf(place);
  // Outside a package Node goes by the extension alone.
  const program = `${AGENT_FOLDER}/intern-agent.${agent.endsWith('.ts') ? 'mts' : 'mjs'}`;
  return {
    name: nameOf(place),
    Image: image,
    User: `${user}:${user}`,
    WorkingDir: HOME,
    Entrypoint: ['node'],
    Cmd: ['--disable-warning=ExperimentalWarning', program],
    Env: environmentOf(egress),
    Labels: { 'gatehouse.intern': place.internId, 'gatehouse.fence': String(fence) },
    // The input ends with the connection of whoever started the container: so does the agent.
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: {
      ...LOCKED_DOWN,
      // The first process of a container cannot end itself by a signal, which is how an agent ends when its time is over.
      Init: true,
      Memory: memoryMb * MIB,
      MemorySwap: memoryMb * MIB,
      NanoCpus: CPUS * 1_000_000_000,
      Tmpfs: { '/tmp': 'rw,noexec,nosuid,nodev,size=64m,mode=1777' },
      Mounts: [
        disk(place),
        { Type: 'bind', Source: agent, Target: program, ReadOnly: true },
        ...(egress
          ? [{ Type: 'bind', Source: egress.socketFolder, Target: EGRESS_FOLDER, ReadOnly: true } as const]
          : []),
      ],
    },
  };
}

function environmentOf(egress: EgressWay | null): string[] {
  const own = [`HOME=${HOME}`, 'LANG=C.UTF-8'];
  if (!egress) return own;
  const proxy = `http://intern:${egress.token.reveal()}@127.0.0.1:${BRIDGE.port}`;
  const all = `${EGRESS_FOLDER}/authorities.pem`;
  return [
    ...own,
    ...['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => `${name}=${proxy}`),
    'NODE_USE_ENV_PROXY=1',
    `NODE_EXTRA_CA_CERTS=${EGRESS_FOLDER}/authority.pem`,
    `SSL_CERT_FILE=${all}`,
    `CURL_CA_BUNDLE=${all}`,
  ];
}
