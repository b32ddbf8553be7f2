import type { MatrixThings, Prepared } from './access-matrix-things.js';

/** A credential for a provider without a list of models, so that no request is sent to it. */
const KEY = JSON.stringify({ region: 'eu-west-1', apiKey: 'sk-0123456789abcdef' });
const CHANNEL = { provider: 'amazon-bedrock', key: KEY, disabled: true };

async function aChannel(things: MatrixThings): Promise<string> {
  const { json } = await things.management('post', '/providers/credentials', { json: CHANNEL });
  return `/providers/credentials/${json.data.id}`;
}

/** The requests of the access matrix for the platform's credentials. */
export const CHANNEL_REQUESTS: Readonly<Record<string, (things: MatrixThings) => Prepared | Promise<Prepared>>> = {
  'POST /providers/credentials': () => ({ path: '/providers/credentials', request: { json: CHANNEL } }),
  'GET /providers/credentials/{}': async (things) => ({ path: await aChannel(things) }),
  'PATCH /providers/credentials/{}': async (things) => ({
    path: await aChannel(things),
    request: { json: { weight: 2 } },
  }),
  'DELETE /providers/credentials/{}': async (things) => ({ path: await aChannel(things) }),
  'POST /providers/credentials/{}/test': async (things) => ({
    path: `${await aChannel(things)}/test`,
    request: { json: {} },
  }),
  'POST /providers/credentials/{}/discover': async (things) => ({ path: `${await aChannel(things)}/discover` }),
};
