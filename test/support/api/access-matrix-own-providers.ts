import { randomUUID } from 'node:crypto';
import type { MatrixThings, Prepared } from './access-matrix-things.js';

const MODEL = { upstream: 'anything', context_length: 1_000 };
const provider = () => ({
  slug: `own-${randomUUID()}`,
  format: 'chat',
  base_url: 'https://models.example.com/v1',
});

async function aProvider(things: MatrixThings): Promise<string> {
  const json = provider();
  await things.management('post', '/providers', { json });
  return `/providers/${json.slug}`;
}

async function aModel(things: MatrixThings): Promise<string> {
  const path = `${await aProvider(things)}/models/one`;
  await things.management('put', path, { json: MODEL });
  return path;
}

/** The requests of the access matrix for own providers. */
export const OWN_PROVIDER_REQUESTS: Readonly<Record<string, (things: MatrixThings) => Prepared | Promise<Prepared>>> = {
  'POST /providers': () => ({ path: '/providers', request: { json: provider() } }),
  'PATCH /providers/{}': async (things) => ({
    path: await aProvider(things),
    request: { json: { name: 'Renamed' } },
  }),
  'DELETE /providers/{}': async (things) => ({ path: await aProvider(things) }),
  'POST /providers/{}/discover': async (things) => ({ path: `${await aProvider(things)}/discover` }),
  'GET /providers/{}/models': async (things) => ({ path: `${await aProvider(things)}/models` }),
  'PUT /providers/{}/models/{}': async (things) => ({
    path: `${await aProvider(things)}/models/one`,
    request: { json: MODEL },
  }),
  'DELETE /providers/{}/models/{}': async (things) => ({ path: await aModel(things) }),
  'GET /providers/{}/models/{}/versions': async (things) => ({ path: `${await aModel(things)}/versions` }),
};
