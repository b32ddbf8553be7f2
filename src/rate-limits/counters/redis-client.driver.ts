import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { readRedisAddress, type RedisServers } from '../../kernel/addresses/redis-address.js';

/** A slower response of Redis is ignored, so that rate limiting delays a command by at most this time. */
const RESPONSE_TIMEOUT_MS = 250;
const CONNECT_TIMEOUT_MS = 5_000;
export const RECONNECT_MS = 500;
/** Interval at which the client refreshes its map of the slots of a Cluster. */
const SLOTS_INTERVAL_MS = 1_000;
/** One redirection for a slot that has moved, and one to another node after a failover. */
const MAX_REDIRECTIONS = 2;

const COMMON = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: RESPONSE_TIMEOUT_MS,
  connectTimeout: CONNECT_TIMEOUT_MS,
  disconnectTimeout: 100,
} as const;
const reconnectDelay = (): number => RECONNECT_MS;
/**
 * A former primary that is now read-only refuses writes. The client reconnects, because the host name may now resolve
 * to the new primary.
 */
const isReadOnly = ({ message }: Error): boolean => message.startsWith('READONLY');

/** A client of the server, of the primary that Sentinels name, or of a Cluster. `address`: a valid REDIS_URL. */
export function connectRedis(address: string): Redis | Cluster {
  const read = readRedisAddress(address)!;
  const options: RedisOptions = { ...COMMON, retryStrategy: reconnectDelay, reconnectOnError: isReadOnly };
  if (read.kind === 'server') return new Redis(read.url, options);
  if (read.kind === 'sentinel')
    return new Redis({
      ...options,
      ...accessOf(read),
      sentinels: [...read.hosts],
      name: read.name,
      db: read.database,
      sentinelPassword: read.sentinelPassword,
      ...(read.tls && { sentinelTLS: {}, enableTLSForSentinelMode: true }),
      sentinelRetryStrategy: reconnectDelay,
      sentinelReconnectStrategy: reconnectDelay,
      sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
      // Needed for a primary that hangs, because its connections stay open.
      failoverDetector: true,
    });
  return new Cluster([...read.hosts], {
    enableOfflineQueue: false,
    clusterRetryStrategy: reconnectDelay,
    maxRedirections: MAX_REDIRECTIONS,
    slotsRefreshInterval: SLOTS_INTERVAL_MS,
    redisOptions: { ...COMMON, ...accessOf(read) },
  });
}

const accessOf = ({ username, password, tls }: RedisServers): RedisOptions => ({
  username,
  password,
  ...(tls && { tls: {} }),
});
