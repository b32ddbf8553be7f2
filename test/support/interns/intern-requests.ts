import { request } from 'node:http';
import { ApiKeys } from '../../../src/auth/api-keys.js';
import type { InternsStage, Member } from './interns-stage.js';

/** The Authorization header of a new key of this member. */
export async function bearerOf(
  stage: InternsStage,
  member: Member,
  keyClass: 'standard' | 'management' = 'standard',
): Promise<string> {
  const { secret } = await stage.app
    .get(ApiKeys, { strict: false })
    .issue({ ...member, keyClass, name: 'raw', creatorUserId: member.userId });
  return `Bearer ${secret}`;
}

/** Sends POST /interns with a Host header that the test chooses, which fetch does not allow. */
export async function statusOnHost(stage: InternsStage, member: Member, host: string): Promise<[number, unknown]> {
  const authorization = await bearerOf(stage, member);
  return new Promise((resolve, reject) => {
    const sent = request(
      `${stage.origin}/api/v1/interns`,
      { method: 'POST', headers: { host, authorization } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => resolve([answer.statusCode!, JSON.parse(text)]));
      },
    );
    sent.on('error', reject).end();
  });
}
