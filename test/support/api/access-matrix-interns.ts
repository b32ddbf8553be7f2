import { randomUUID } from 'node:crypto';
import type { MatrixThings, Prepared } from './access-matrix-things.js';
import type { ApiRequest } from './api-client.js';

export const SECRET = { value: 'v', hosts: ['example.com'] };
const name = (): string => `n${randomUUID().slice(0, 8)}`;
const json = (body: unknown): ApiRequest => ({ json: body });

/** The requests of the access matrix for interns and vaults. */
export const INTERN_REQUESTS: Readonly<Record<string, (things: MatrixThings) => Prepared | Promise<Prepared>>> = {
  'POST /interns': () => ({ path: '/interns', request: json({ name: name() }) }),
  'GET /interns/{}': (things) => ({ path: `/interns/${things.internId}` }),
  'PATCH /interns/{}': (things) => ({ path: `/interns/${things.internId}`, request: json({ description: 'changed' }) }),
  'DELETE /interns/{}': async (things) => ({ path: `/interns/${await things.intern()}` }),
  'GET /interns/{}/settings': (things) => ({ path: `/interns/${things.internId}/settings` }),
  'PUT /interns/{}/settings': (things) => ({
    path: `/interns/${things.internId}/settings`,
    request: json({ allowed_hosts: ['example.com'] }),
  }),
  'POST /interns/{}/provision': async (things) => ({
    path: `/interns/${await things.intern()}/provision`,
    request: json({}),
  }),
  'POST /interns/{}/suspend': async (things) => ({
    path: `/interns/${await things.intern()}/suspend`,
    request: json({}),
  }),
  'POST /interns/{}/chat/completions': (things) => ({
    path: `/interns/${things.internId}/chat/completions`,
    request: json({ messages: [{ role: 'user', content: 'Hi' }], stream: true }),
  }),
  'GET /interns/{}/sessions': (things) => ({ path: `/interns/${things.internId}/sessions` }),
  'DELETE /interns/{}/sessions/{}': (things) => ({ path: `/interns/${things.internId}/sessions/none` }),
  'PUT /vault/secrets/{}': () => ({ path: `/vault/secrets/${name()}`, request: json(SECRET) }),
  'DELETE /vault/secrets/{}': async (things) => ({ path: `/vault/secrets/${await things.secretAt('/vault/secrets')}` }),
  'GET /vault/interns/{}/secrets': (things) => ({ path: `/vault/interns/${things.internId}/secrets` }),
  'PUT /vault/interns/{}/secrets/{}': (things) => ({
    path: `/vault/interns/${things.internId}/secrets/${name()}`,
    request: json(SECRET),
  }),
  'DELETE /vault/interns/{}/secrets/{}': async (things) => {
    const secrets = `/vault/interns/${things.internId}/secrets`;
    return { path: `${secrets}/${await things.secretAt(secrets)}` };
  },
  'POST /vault/interns/{}/secrets/copy': async (things) => ({
    path: `/vault/interns/${things.internId}/secrets/copy`,
    request: json({ names: [await things.secretAt('/vault/secrets')] }),
  }),
  'GET /vault/interns/{}/secrets/effective': (things) => ({
    path: `/vault/interns/${things.internId}/secrets/effective`,
  }),
};
