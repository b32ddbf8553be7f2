import type { MatrixThings, Prepared } from './access-matrix-things.js';

const policyFor = async (things: MatrixThings): Promise<object> => ({
  name: 'A workload',
  issuer: 'https://issuer.example.com',
  subject: 'workload',
  audience: 'gatehouse',
  api_key_hash: await things.key(),
});

async function aPolicy(things: MatrixThings): Promise<string> {
  const { json } = await things.management('post', '/federation-policies', { json: await policyFor(things) });
  return `/federation-policies/${json.data.id}`;
}

/** The requests of the access matrix for codes, tokens and federation policies. */
export const APPLICATION_REQUESTS: Readonly<Record<string, (things: MatrixThings) => Prepared | Promise<Prepared>>> = {
  'POST /auth/keys': () => ({
    path: '/auth/keys',
    request: { json: { code: 'unknown', code_challenge_method: 'S512' } },
  }),
  'POST /auth/keys/code': () => ({
    path: '/auth/keys/code',
    request: { json: { callback_url: 'https://app.example.com/' } },
  }),
  'POST /oauth/token': () => ({
    path: '/oauth/token',
    request: { body: 'grant_type=password', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  }),
  'POST /federation-policies': async (things) => ({
    path: '/federation-policies',
    request: { json: await policyFor(things) },
  }),
  'GET /federation-policies/{}': async (things) => ({ path: await aPolicy(things) }),
  'PATCH /federation-policies/{}': async (things) => ({
    path: await aPolicy(things),
    request: { json: { disabled: true } },
  }),
  'DELETE /federation-policies/{}': async (things) => ({ path: await aPolicy(things) }),
};
