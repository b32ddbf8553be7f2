import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { eventually } from '../eventually.js';
import type { TestService } from '../services/test-service.js';

const ROUTER = resolve('console/src/router.tsx');
const AUTHORIZE = '/authorize?callback_url=https://app.example.com/done&key_label=Editor';

/**
 * The address of each page of the router, below /console. Makes a call and creates the other resources of pages with an
 * id.
 */
export async function consolePaths({
  management,
  standard,
}: Pick<TestService, 'management' | 'standard'>): Promise<string[]> {
  const chat = { model: 'builtin/eliza', messages: [{ role: 'user', content: 'Hello' }] };
  expect((await standard.post('/chat/completions', { json: chat })).status).toBe(200);
  const intern = await standard.post('/interns', { json: { name: 'ada', provision: false } });
  const hook = { format: 'slack', url: 'https://hooks.slack.com/services/XXXX', events: ['credits.low'] };
  const webhook = await management.post('/webhooks', { json: hook });
  const first = async (path: string) => (await management.get(`${path}?limit=1`)).json.data[0];
  const call = await eventually(async () => {
    const found = await first('/generations');
    expect(found).toBeDefined();
    return found;
  });
  const filled: Readonly<Record<string, string>> = {
    '/keys/$hash': `/keys/${call.api_key_hash}`,
    '/calls/$id': `/calls/${call.id}`,
    '/models/$author/$slug': '/models/openai/gpt-4o',
    '/interns/$id': `/interns/${intern.json.id}`,
    '/workspaces/$id': `/workspaces/${(await first('/workspaces')).id}`,
    '/members/$id': `/members/${(await first('/members')).user_id}`,
    '/webhooks/$id': `/webhooks/${webhook.json.data.id}`,
    '/authorize': AUTHORIZE,
  };
  const router = await readFile(ROUTER, 'utf8');
  return [...router.matchAll(/^\s*path: '([^']+)'/gm)].map(([, path]) => {
    const address = filled[path!] ?? path!;
    if (address.includes('$')) throw new Error(`console-routes.ts has no value for the parameter in ${address}`);
    return address;
  });
}
