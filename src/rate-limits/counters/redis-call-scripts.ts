/**
 * The first lines of scripts, which set `now` to epoch milliseconds. All scripts here change the counters atomically.
 * They use the clock of Redis, so that the clocks of replicas need not be synchronised.
 */

const NOW = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * KEYS: one for each limit. ARGV: the id of the call, the lease, then for each limit its kind, max, points and window.
 * The lease and the windows are in milliseconds. Returns the number of the first reached limit, from 1, or 0 if there
 * is none; then `used` and `resetInMs` of each limit.
 */
export const TAKE = `${NOW}
  local call, lease = ARGV[1], tonumber(ARGV[2])
  local result, full = { 0 }, 0
  for i, key in ipairs(KEYS) do
    local kind, max = ARGV[4 * i - 1], tonumber(ARGV[4 * i])
    local points, window = tonumber(ARGV[4 * i + 1]), tonumber(ARGV[4 * i + 2])
    local used, reset = 0, window
    if kind == 'concurrent' then
      redis.call('zremrangebyscore', key, '-inf', now)
      used, reset = redis.call('zcard', key), lease
    else
      used = tonumber(redis.call('get', key) or '0')
      local left = redis.call('pttl', key)
      if left > 0 then reset = left end
    end
    if full == 0 and used + points > max then full = i end
    result[2 * i], result[2 * i + 1] = used, reset
  end
  result[1] = full
  if full > 0 then return result end
  for i, key in ipairs(KEYS) do
    local kind, points, window = ARGV[4 * i - 1], tonumber(ARGV[4 * i + 1]), tonumber(ARGV[4 * i + 2])
    if kind == 'concurrent' then
      redis.call('zadd', key, now + lease, call)
      redis.call('pexpire', key, lease)
    else
      redis.call('incrby', key, points)
      if kind == 'session' then result[2 * i + 1] = window end
      if kind == 'session' or redis.call('pttl', key) < 0 then redis.call('pexpire', key, window) end
    end
    result[2 * i] = result[2 * i] + points
  end
  return result`;

/** KEYS: one for each limit. ARGV: the points and the window (in milliseconds) of each limit. */
export const ADD = `
  for i, key in ipairs(KEYS) do
    local points, window = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
    local used = tonumber(redis.call('get', key) or '0')
    if used + points < 0 then points = -used end
    if points ~= 0 then redis.call('incrby', key, points) end
    if redis.call('pttl', key) < 0 then redis.call('pexpire', key, window) end
  end`;

/** KEYS: one for each place. ARGV: the lease in milliseconds, then the ids of the calls. */
export const RENEW = `${NOW}
  local lease = tonumber(ARGV[1])
  for i, key in ipairs(KEYS) do
    redis.call('zadd', key, now + lease, ARGV[i + 1])
    redis.call('pexpire', key, lease)
  end`;

/** KEYS: one for each place. ARGV: the ids of the calls. */
export const RELEASE = `
  for i, key in ipairs(KEYS) do redis.call('zrem', key, ARGV[i]) end`;
