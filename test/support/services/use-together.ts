import { randomUUID } from 'node:crypto';
import { apiClient, type ApiAnswer } from '../api/api-client.js';
import { makeKey, makeWorkspace, registerEndUser } from '../api/api-builders.js';
import type { OpenApiDocument } from '../api/openapi-document.js';
import { streamOnce } from '../money/chat-load.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from './test-service.js';

/**
 * Creates resources through one service of an installation, uses and changes them through the other, and reads every
 * list of both. `one`, `other`: their origins.
 */
export async function useTogether(one: string, other: string): Promise<void> {
  const [management, otherManagement] = [apiClient(one, TEST_MANAGEMENT_KEY), apiClient(other, TEST_MANAGEMENT_KEY)];
  const [standard, otherStandard] = [apiClient(one, TEST_API_KEY), apiClient(other, TEST_API_KEY)];
  const good = async (answering: Promise<ApiAnswer>): Promise<ApiAnswer['json']> => {
    const { status, text, json } = await answering;
    if (status > 299) throw new Error(`${status}: ${text}`);
    return json;
  };
  const name = randomUUID();
  const secret = '/vault/secrets/used_together';

  const { key, hash } = await makeKey(management, { name, limit: 1, limit_reset: 'daily' });
  expect(await streamOnce({ origin: other, key })).toMatchObject({ status: 200, whole: true });
  const changed = await good(otherManagement.patch(`/keys/${hash}`, { json: { name: `${name} 2` } }));
  expect(changed.data.name).toBe(`${name} 2`);
  const { id: workspace } = await makeWorkspace(management);
  await good(otherManagement.patch(`/workspaces/${workspace}`, { json: { name: `${name} 2` } }));
  await good(management.delete(`/workspaces/${workspace}`));
  await registerEndUser(management);
  await good(standard.put(secret, { json: { value: 'a secret value', hosts: ['a.example'] } }));
  await good(otherStandard.delete(secret));
  const { data: generations } = await good(otherManagement.get('/generations'));
  await good(management.get(`/generation?id=${generations[0].id}`));
  await good(otherManagement.delete(`/keys/${hash}`));

  for (const origin of [one, other]) expect(await faultsOf(origin)).toEqual([]);
}

/** The routes without parameters that respond with a fault. */
async function faultsOf(origin: string): Promise<string[]> {
  const { paths } = (await (await fetch(`${origin}/api/v1/openapi.json`)).json()) as OpenApiDocument;
  const found: string[] = [];
  for (const path of Object.keys(paths)) {
    if (path.includes('{') || !paths[path]!['get']) continue;
    for (const key of [TEST_MANAGEMENT_KEY, TEST_API_KEY]) {
      const response = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${key}` } });
      const text = await response.text();
      if (response.status >= 500) found.push(`GET ${path}: ${response.status} ${text}`);
    }
  }
  return found;
}
