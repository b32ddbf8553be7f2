import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import type { AuditEntry } from '../../api/records';
import { ExportButton } from '../../filters/export-button';
import { readNames } from '../../names/name-store';
import { NAMES } from '../../names/use-names';
import type { AuditQuery } from './audit-filters';
import { actorText, changeText, keyText, namedIn, subjectText } from './audit-words';

const COLUMNS = [
  'entry_id',
  'at',
  'by',
  'action',
  'kind',
  'subject',
  'changes',
  'role',
  'address',
  'request_id',
  'actor',
  'user_id',
  'api_key_name',
  'api_key_hash',
  'id',
] as const;

const rowOf = ({ changes, ...entry }: AuditEntry) => ({
  ...entry,
  by: actorText({ changes, ...entry }, NAMES),
  subject: subjectText({ changes, ...entry }, NAMES),
  api_key_name: keyText({ changes, ...entry }, NAMES),
  changes: changes?.map(changeText).join('; '),
});

async function named(entries: readonly AuditEntry[]) {
  const ids = entries.map(namedIn);
  await readNames({
    api_keys: ids.flatMap(({ api_keys }) => api_keys),
    users: ids.flatMap(({ users }) => users),
    workspaces: ids.flatMap(({ workspaces }) => workspaces),
    interns: ids.flatMap(({ interns }) => interns),
  });
  return entries.map(rowOf);
}

/** Saves the matching entries as a file that contains the names of people and resources besides their ids. */
export function AuditExport({ query }: { readonly query: AuditQuery }): ReactNode {
  return (
    <ExportButton
      fileName="audit.csv"
      columns={COLUMNS}
      onRead={async (cursor, limit, signal) => {
        const page = await body(
          api.GET('/api/v1/audit', { params: { query: { ...query, with_changes: true, cursor, limit } }, signal }),
        );
        return { rows: await named(page.data), nextCursor: page.next_cursor };
      }}
    />
  );
}
