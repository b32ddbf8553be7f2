import type { RandomNumbers } from '../../support/random-numbers.js';
import type { FuzzKey, ThingKind } from './fuzz-request.js';
import type { KnownThings } from '../known-things.js';
import type { Suggest } from './schema-values.js';

const IMAGE_MODELS = ['builtin/poster', 'openai/gpt-image-1', 'builtin/flite', 'openai/nothing', 'x'];
/** Messages that make the built-in model of an intern reply or call a tool. */
const MESSAGES = [
  'Hello, how are you?',
  '/call list_files {}',
  '/call write_file {"path":"a","content":"b"}',
  '/call http_request {"url":"https://example.invalid/"}',
  '/call ask {"message":"Where?","fields":[]}',
];
const MODELS = ['builtin/flite', 'builtin/poster', 'openai/gpt-image-1', 'openai/gpt-4o-mini-tts', 'x/y'];

/** Members that name a resource of the run. */
const THINGS: Readonly<Record<string, ThingKind>> = {
  workspace_id: 'workspace',
  vault_id: 'vault',
  creator_user_id: 'user',
  user_id: 'user',
  allowed_user_ids: 'user',
  allowed_api_key_hashes: 'key',
  api_key_hash: 'key',
  names: 'secret',
  starting_after: 'cursor',
  cursor: 'cursor',
  id: 'generation',
};

/** Values with a meaning for this service, by the name of the member or parameter. */
export function suggestionsFor(random: RandomNumbers, known: KnownThings, key: FuzzKey): Suggest {
  const word = (prefix: string): string => prefix + random.int(0, 0xff_ff_ff_ff).toString(36);
  const fixed: Readonly<Record<string, () => unknown>> = {
    model: () => random.pick(random.chance(0.5) ? IMAGE_MODELS.slice(0, 2) : [...IMAGE_MODELS, ...MODELS]),
    messages: () =>
      random.chance(0.4)
        ? [{ role: 'user', content: random.chance(0.5) ? MESSAGES[0] : random.pick(MESSAGES) }]
        : undefined,
    session_id: () => known.pick(random, 'session', key.account)?.id,
    voice: () => random.pick(['slt', 'rms', 'alloy', 'nobody']),
    provider: () =>
      random.pick([
        'openai',
        'elevenlabs',
        'google',
        'builtin',
        'nobody',
        { only: ['openai'] },
        { order: ['builtin', 'openai'], allow_fallbacks: false },
        { sort: 'price' },
        { options: { openai: { moderation: 'low' } } },
      ]),
    size: () => random.pick(['64x64', '64x64', '128x96', '512', '1K', 'auto', '1x1', '65x9999', '0x0']),
    seed: () => random.int(-3, 100),
    url: () =>
      random.pick([
        'data:image/png;base64,iVBORw0KGgo=',
        'http://127.0.0.1:9/x.png',
        'https://example.invalid/x.png',
        'data:,x',
      ]),
    hosts: () =>
      random.pick([
        ['api.example.com'],
        ['A.example.com.', 'a.example.com'],
        ['*.example.com'],
        ['localhost:1'],
        ['ünï.example'],
      ]),
    name: () => word('n').slice(0, 12),
    slug: () => word('s'),
    user: () => known.pick(random, 'end user', key.account)?.id ?? word('user-'),
    limit: () => random.pick([0, 1, 5, 100, 1e-9, 0.1]),
    limit_reset: () => random.pick(['daily', 'weekly', 'monthly']),
    field: () =>
      random.pick(['model', 'status', 'api_key_id', 'request_count', 'user', 'date', 'created_at', 'provider']),
    operator: () => random.pick(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in']),
    value: () => random.pick(['builtin/flite', 200, -1, ['a', 'b'], [], [1], 'a'.repeat(64), true]),
    direction: () => random.pick(['asc', 'desc']),
    start: () => random.pick(['2026-01-01', '2020-01-01T00:00:00Z', '2026-01-01T00:00:00+02:00', '1970-01-01']),
    end: () => random.pick(['2027-01-01', '2026-12-31T23:59:59.999Z', '2026-01-01', '9999-12-31']),
    date: () => random.pick(['2026-01-01', '2026-12-31', '2026-02-30']),
    status: () => random.pick(['running,stopped', 'queued', 'failed', 'x', 'stopped,stopped']),
  };
  return (name) => {
    const kind = THINGS[name];
    if (kind !== undefined) return known.pick(random, kind, key.account)?.id;
    return fixed[name]?.();
  };
}
