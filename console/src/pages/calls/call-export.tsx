import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import type { ListedCall } from '../../api/records';
import { ExportButton } from '../../filters/export-button';
import { readNames } from '../../names/name-store';
import { NAMES } from '../../names/use-names';
import { personOf } from './call-columns';
import type { listQuery } from './call-filters';

const COLUMNS = [
  'id',
  'created_at',
  'status',
  'kind',
  'model',
  'provider_name',
  'api_key_name',
  'api_key_hash',
  'person_name',
  'user_id',
  'workspace_name',
  'workspace_id',
  'external_user',
  'usage',
  'total_cost',
  'is_byok',
  'tokens_prompt',
  'tokens_cached',
  'tokens_completion',
  'tokens_reasoning',
  'characters',
  'images',
  'finish_reason',
  'latency',
  'generation_time',
] as const;

function rowOf(call: ListedCall) {
  const userId = personOf(call);
  return {
    ...call,
    is_byok: String(call.is_byok),
    api_key_name: call.api_key_hash && NAMES.key(call.api_key_hash),
    user_id: userId,
    person_name: userId && NAMES.person(userId),
    workspace_name: call.workspace_id && NAMES.workspace(call.workspace_id),
  };
}

async function named(calls: readonly ListedCall[]) {
  const ids = (values: readonly (string | null)[]): string[] => values.flatMap((value) => value ?? []);
  const workspaces = ids(calls.map(({ workspace_id }) => workspace_id));
  await readNames({ api_keys: ids(calls.map(({ api_key_hash }) => api_key_hash)), workspaces });
  await readNames({ users: ids(calls.map(personOf)) });
  return calls.map(rowOf);
}

/** Saves the matching calls as a file that contains the names of keys, people and workspaces besides their ids. */
export function CallExport({ query }: { readonly query: ReturnType<typeof listQuery> }): ReactNode {
  return (
    <ExportButton
      fileName="calls.csv"
      columns={COLUMNS}
      onRead={async (cursor, limit, signal) => {
        const params = { query: { ...query, cursor, limit } };
        const page = await body(api.GET('/api/v1/generations', { params, signal }));
        return { rows: await named(page.data), nextCursor: page.next_cursor };
      }}
    />
  );
}
