import { randomUUID } from 'node:crypto';
import type { ApiClient } from './api-client.js';

export interface MadeKey {
  /** The secret of the key. */
  readonly key: string;
  readonly hash: string;
  /** The record as `POST /keys` returned it, hence `any`. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

/** Creates a standard key through the API, with a management key as the client. */
export async function makeKey(management: ApiClient, fields: object = {}): Promise<MadeKey> {
  const { status, json } = await management.post('/keys', { json: { name: 'test', ...fields } });
  if (status !== 201) throw new Error(`POST /keys returned ${status}: ${JSON.stringify(json)}`);
  return { key: json.key, hash: json.data.hash, data: json.data };
}

/** Creates a workspace through the API. Default: a unique name and slug. */
export async function makeWorkspace(
  management: ApiClient,
  fields: { readonly name?: string; readonly slug?: string } & object = {},
): Promise<{ readonly id: string; readonly slug: string }> {
  const slug = fields.slug ?? `w-${randomUUID()}`;
  const { status, json } = await management.post('/workspaces', { json: { name: slug, slug, ...fields } });
  if (status !== 201) throw new Error(`POST /workspaces returned ${status}: ${JSON.stringify(json)}`);
  return json.data;
}

/** Creates a webhook through the API. All of its deliveries fail. */
export async function makeWebhook(management: ApiClient): Promise<{ readonly id: string }> {
  const json = { url: 'https://hooks.invalid/', events: ['credits.low'] };
  return (await management.post('/webhooks', { json })).json.data;
}

/** Registers a tracking id through the API. Default: a unique id. */
export async function registerEndUser(management: ApiClient, user: string = randomUUID()): Promise<string> {
  const { status, json } = await management.post('/end-users', { json: { user } });
  if (status !== 201) throw new Error(`POST /end-users returned ${status}: ${JSON.stringify(json)}`);
  return json.data.user;
}
