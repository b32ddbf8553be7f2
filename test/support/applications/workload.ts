import type { ApiAnswer } from '../api/api-client.js';
import type { TestService } from '../services/test-service.js';
import { AUDIENCE, SUBJECT, type ScriptedIssuer } from './scripted-issuer.js';

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Creates a policy of the first account for the issuer. Returns its id and its key. */
export async function makePolicy(
  service: Pick<TestService, 'management'>,
  issuer: ScriptedIssuer,
  fields: object = {},
): Promise<{ id: string; keyHash: string }> {
  const key = await service.management.post('/keys', { json: { name: 'Workload', limit: 1 } });
  const keyHash = key.json.data.hash as string;
  const policy = { name: 'CI', issuer: issuer.url, subject: SUBJECT, audience: AUDIENCE, api_key_hash: keyHash };
  const created = await service.management.post('/federation-policies', { json: { ...policy, ...fields } });
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  return { id: created.json.data.id, keyHash };
}

/** Exchanges a token of the issuer in the same way as a workload. */
export async function exchangeToken(
  service: Pick<TestService, 'as'>,
  policyId: string,
  token: string,
  parameters: Record<string, string> = {},
): Promise<ApiAnswer> {
  const body = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    federation_policy_id: policyId,
    ...parameters,
  });
  return service.as().post('/oauth/token', { body: body.toString(), headers: FORM });
}
