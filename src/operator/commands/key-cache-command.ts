import type { Command } from 'commander';
import { ApiKeys } from '../../auth/api-keys.js';
import { DEFAULT_CACHE_TTL_S, MAX_CACHE_TTL_S } from '../../kernel/cache-use.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { recordedKey } from '../operator-audit.js';
import type { OpenOperator } from '../operator-session.js';
import { print } from '../output.js';
import { countOption, keyOf } from './option-values.js';

interface Options {
  readonly ttl?: string;
  readonly json?: boolean;
}

/** `keys cache`: the default of the response cache for requests of a key. A header of the request overrides it. */
export function keyCacheCommand(keys: Command, open: OpenOperator): void {
  keys
    .command('cache <hash> <state>')
    .description(
      'on: reuse the responses of text and embeddings for equal requests of this key; off: only if a ' +
        'request has the header X-OpenRouter-Cache',
    )
    .option('--ttl <seconds>', `how long a response is kept, 1 to ${MAX_CACHE_TTL_S}; default: ${DEFAULT_CACHE_TTL_S}`)
    .action((hash: string, state: string, options: Options) =>
      open(async (rooms) => {
        const ttlS = ttlOf(state, options);
        const key = await keyOf(rooms, hash);
        const audited = recordedKey(rooms, 'update');
        await rooms.get(ApiKeys).change(key, key.hash, { responseCacheTtlS: ttlS }, audited);
        print([{ hash: key.hash, name: key.name, cache: state, ttl_seconds: ttlS }], options.json);
      }),
    );
}

function ttlOf(state: string, { ttl }: Options): number | null {
  if (state !== 'on' && state !== 'off') throw invalidRequest('<state> must be on or off');
  if (state === 'on') return ttl === undefined ? DEFAULT_CACHE_TTL_S : countOption(ttl, '--ttl', MAX_CACHE_TTL_S);
  if (ttl !== undefined) throw invalidRequest('--ttl can be given only if <state> is on');
  return null;
}
