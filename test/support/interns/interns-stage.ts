import { randomBytes } from 'node:crypto';
import { ApiKeys } from '../../../src/auth/api-keys.js';
import { makeAccount, makeMember } from '../money/account-builders.js';
import type { ApiClient } from '../api/api-client.js';
import { startTestService, type TestService, type TestServiceOptions } from '../services/test-service.js';

/** A service with a master key, and users inside and outside the interns programme. */
export interface InternsStage extends TestService {
  /** Creates a member, with a client that has a new standard key. Default: in a new account. */
  member(options?: { readonly inProgramme?: boolean; readonly accountOf?: Member }): Promise<Member>;
  /**
   * A client with a key of this class. Default: the member is its creator. With `internId`, calls go through the
   * channel of that intern.
   */
  keyOf(
    member: Member,
    key: {
      readonly keyClass: 'standard' | 'management' | 'intern';
      readonly internId?: string;
      readonly creatorUserId?: string | null;
      readonly workspaceId?: string;
    },
  ): Promise<ApiClient>;
}

export interface Member {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly api: ApiClient;
}

export async function startInternsStage({ env, ...options }: TestServiceOptions = {}): Promise<InternsStage> {
  const service = await startTestService({ ...options, env: { MASTER_KEY: randomBytes(32).toString('hex'), ...env } });
  const keys = service.app.get(ApiKeys, { strict: false });
  const keyOf: InternsStage['keyOf'] = async (member, { keyClass, internId, creatorUserId, workspaceId }) => {
    const owner = creatorUserId === undefined ? member.userId : creatorUserId;
    const { secret } = await keys.issue({
      accountId: member.accountId,
      workspaceId: workspaceId ?? member.workspaceId,
      keyClass,
      name: 'test',
      creatorUserId: owner,
      internId: internId ?? null,
    });
    return internId === undefined ? service.as(secret) : service.inside(internId, secret);
  };
  return {
    ...service,
    keyOf,
    member: async ({ inProgramme = true, accountOf } = {}) => {
      const { accountId, workspaceId } = accountOf ?? (await makeAccount(service));
      const userId = await makeMember(service, { accountId, workspaceId }, { inProgramme });
      const member = { accountId, workspaceId, userId };
      return { ...member, api: await keyOf({ ...member, api: service.standard }, { keyClass: 'standard' }) };
    },
  };
}

/** The error of the interns group as JSON, with any message. */
export const refusal = (code: number, reason: string, retryable = false): object => ({
  error: { code, message: expect.any(String), metadata: { reason, retryable } },
});
