/** One Redis server, several servers with Sentinel, or a Cluster. */
export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string }
  | (RedisServers & {
      readonly kind: 'sentinel';
      /** The name of the monitored primary. */
      readonly name: string;
      readonly database: number;
      /** The password of the Sentinels; undefined = no password. */
      readonly sentinelPassword: string | undefined;
    })
  | (RedisServers & { readonly kind: 'cluster' });

export interface RedisServers {
  /** The Sentinels, or some nodes of the Cluster. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

const DEFAULT_PORTS = { sentinel: 26_379, cluster: 6_379 };
const SEVERAL = /^(rediss?)\+(sentinel|cluster):\/\/([^/?#@]*@)?([^/?#]+)(.*)$/i;
const SENTINEL_PASSWORD = 'sentinel_password';

/**
 * Reads `redis://host:6379/0`, `redis+sentinel://user:password@h1:26379,h2/mymaster/0?sentinel_password=…` or
 * `redis+cluster://user:password@h1:6379,h2`, each with `rediss` for TLS. undefined = any other text.
 */
export function readRedisAddress(address: string): RedisAddress | undefined {
  if (/^rediss?:\/\//i.test(address)) {
    const isOne = URL.canParse(address) && !new URL(address).hostname.includes(',');
    return isOne ? { kind: 'server', url: address } : undefined;
  }
  const [, scheme, kind, credentials = '', list, rest] = SEVERAL.exec(address) ?? [];
  if (list === undefined) return undefined;
  const type = kind!.toLowerCase() as 'sentinel' | 'cluster';
  try {
    const urls = list.split(',').map((host) => new URL(`redis://${credentials}${host}${rest}`));
    const { username, password, pathname, searchParams, hash } = urls[0]!;
    const servers = {
      hosts: urls.map(({ hostname, port }) => ({
        host: hostname.replace(/^\[|\]$/g, ''),
        port: port === '' ? DEFAULT_PORTS[type] : Number(port),
      })),
      tls: scheme!.toLowerCase() === 'rediss',
      username: decodeURIComponent(username) || undefined,
      password: decodeURIComponent(password) || undefined,
    };
    if (hash !== '' || servers.hosts.some(({ host }) => host === '')) return undefined;
    if ([...searchParams.keys()].some((key) => type === 'cluster' || key !== SENTINEL_PASSWORD)) return undefined;
    if (type === 'cluster') return /^\/?$/.test(pathname) ? { kind: type, ...servers } : undefined;
    const [, name, database = '0'] = /^\/([^/]+)(?:\/(\d{1,4}))?\/?$/.exec(pathname) ?? [];
    if (name === undefined) return undefined;
    const sentinelPassword = searchParams.get(SENTINEL_PASSWORD) ?? undefined;
    return { kind: type, ...servers, name: decodeURIComponent(name), database: Number(database), sentinelPassword };
  } catch {
    // A host or the percent-encoding is invalid.
    return undefined;
  }
}
