import type { MatrixThings, Prepared } from './access-matrix-things.js';

async function aBudget(things: MatrixThings): Promise<string> {
  const json = { scope: { tag: crypto.randomUUID() }, interval: 'daily', limit_usd: 5 };
  return `/budgets/${(await things.management('post', '/budgets', { json })).json.data.id}`;
}

async function ofWorkspace(things: MatrixThings): Promise<string> {
  const path = `/workspaces/${await things.workspace()}/budgets/daily`;
  await things.management('put', path, { json: { limit_usd: 5 } });
  return path;
}

const RAISE = { amount_usd: 1, until: '2100-01-01T00:00:00Z' };

/** The requests of the access matrix for budgets. */
export const BUDGET_REQUESTS: Readonly<Record<string, (things: MatrixThings) => Prepared | Promise<Prepared>>> = {
  'POST /budgets': () => ({
    path: '/budgets',
    request: { json: { scope: { tag: crypto.randomUUID() }, interval: 'daily', limit_usd: 5 } },
  }),
  'GET /budgets/{}': async (things) => ({ path: await aBudget(things) }),
  'PATCH /budgets/{}': async (things) => ({ path: await aBudget(things), request: { json: { limit_usd: 6 } } }),
  'DELETE /budgets/{}': async (things) => ({ path: await aBudget(things) }),
  'PUT /budgets/{}/raise': async (things) => ({ path: `${await aBudget(things)}/raise`, request: { json: RAISE } }),
  'DELETE /budgets/{}/raise': async (things) => ({ path: `${await aBudget(things)}/raise` }),
  'PUT /keys/{}/raise': async (things) => {
    const { json } = await things.management('post', '/keys', { json: { name: 'thing', limit: 5 } });
    return { path: `/keys/${json.data.hash}/raise`, request: { json: RAISE } };
  },
  'DELETE /keys/{}/raise': async (things) => ({ path: `/keys/${await things.key()}/raise` }),
  'GET /budgets/{}/balances': async (things) => ({ path: `${await aBudget(things)}/balances` }),
  'GET /workspaces/{}/budgets': async (things) => ({ path: `/workspaces/${await things.workspace()}/budgets` }),
  'GET /workspaces/{}/budgets/{}': async (things) => ({ path: await ofWorkspace(things) }),
  'PUT /workspaces/{}/budgets/{}': async (things) => ({
    path: await ofWorkspace(things),
    request: { json: { limit_usd: 6 } },
  }),
  'DELETE /workspaces/{}/budgets/{}': async (things) => ({ path: await ofWorkspace(things) }),
};
