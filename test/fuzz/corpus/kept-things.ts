import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';
import type { ThingKind } from '../requests/fuzz-request.js';
import type { FuzzStage } from '../fuzz-stage.js';
import { kindOfParameter, percentEncoded } from '../requests/request-parts.js';

/** The resources in the paths of kept requests, by kind. */
export type KeptThings = ReadonlyMap<ThingKind, string>;

type Made = Readonly<Record<string, string>> & { readonly data: Readonly<Record<string, string>> };

/** Creates one resource of each kind. */
export async function makeKeptThings({ service, things }: FuzzStage): Promise<KeptThings> {
  const make = async (key: string, path: string, body: object, method: 'POST' | 'PUT' = 'POST'): Promise<Made> => {
    const response = await fetch(`${service.origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} responded with ${response.status} ${await response.text()}`);
    return (await response.json()) as Made;
  };
  const talker = things.find(([kind]) => kind === 'running intern')![2];
  await make(TEST_API_KEY, '/vault/secrets/kept', { value: 'v', hosts: ['example.com'] }, 'PUT');
  const managed = async (path: string, body: object): Promise<Readonly<Record<string, string>>> =>
    (await make(TEST_MANAGEMENT_KEY, path, body)).data;
  const webhook = (await managed('/webhooks', { url: 'https://hooks.invalid/x', events: ['intern.failed'] }))['id']!;
  return new Map<ThingKind, string>([
    ['running intern', talker],
    ['intern', (await make(TEST_API_KEY, '/interns', { name: 'kept' }))['id']!],
    ['secret', 'kept'],
    ['session', 'kept'],
    ['key', (await managed('/keys', { name: 'kept' }))['hash']!],
    ['workspace', (await managed('/workspaces', { name: 'kept', slug: 'kept' }))['id']!],
    ['credential', (await managed('/byok', { provider: 'openai', key: 'sk-0123456789abcdef' }))['id']!],
    ['webhook', webhook],
    ['delivery', (await managed(`/webhooks/${webhook}/test`, {}))['id']!],
    ['end user', (await managed('/end-users', { user: 'kept' }))['user']!],
  ]);
}

const NAMES: Readonly<Record<string, string>> = { author: 'builtin', slug: 'poster' };
/** Requests of these routes need a running intern. Requests of the other routes suspend their intern. */
const OF_A_RUNNING_INTERN = /\/interns\/\{id\}\/(chat|sessions)/;

/** The path with its parameters filled in. */
export const filledPath = (path: string, things: KeptThings): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string, at: number) => {
    const kind = kindOfParameter(path.slice(0, at));
    const thing = kind === 'intern' && OF_A_RUNNING_INTERN.test(path) ? 'running intern' : kind;
    return NAMES[name] ?? percentEncoded((thing && things.get(thing)) ?? 'a1');
  });
