import type { AuthCodeRequest } from '../../api/records';

/** The request of an application, from the address. The service checks it, because anyone may have written it. */
export interface AuthorizeSearch {
  readonly callback_url?: string;
  readonly code_challenge?: string;
  readonly code_challenge_method?: AuthCodeRequest['code_challenge_method'];
  readonly key_label?: string;
  readonly limit?: number;
  readonly usage_limit_type?: 'daily' | 'weekly' | 'monthly';
  readonly expires_at?: string;
  readonly workspace_id?: string;
}

const TEXTS = [
  'callback_url',
  'code_challenge',
  'code_challenge_method',
  'key_label',
  'expires_at',
  'workspace_id',
] as const;
const INTERVALS = ['daily', 'weekly', 'monthly'] as const;

/** Reads the request in an address and drops malformed members. */
export function authorizeSearch(search: Record<string, unknown>): AuthorizeSearch {
  const texts = TEXTS.flatMap((name) => {
    const value = search[name];
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [];
  });
  const limit = Number(search['limit']);
  const interval = INTERVALS.find((each) => each === search['usage_limit_type']);
  return {
    ...Object.fromEntries(texts),
    ...(search['limit'] !== undefined && Number.isFinite(limit) && limit >= 0 ? { limit } : {}),
    ...(interval ? { usage_limit_type: interval } : {}),
  };
}
