import { Anchor, Group, Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { QUERY_KEYS } from '../../api/query-keys';
import { api, body } from '../../api/client';
import type { AuditEntry } from '../../api/records';
import { CursorTable } from '../../table/cursor-table';
import type { Column } from '../../table/data-table';
import { PageHeader } from '../../components/page-header';
import { useCursorList } from '../../table/use-cursor-list';
import { FilterBar, type Filter } from '../../filters/filter-bar';
import { choiceEditor, nameEditor, textEditor } from '../../filters/filter-editors';
import { ABSENT } from '../../format/amounts';
import { timestamp, zoneLabel } from '../../format/times';
import { useNames, type Names } from '../../names/use-names';
import { useScope } from '../../scope/use-scope';
import { AuditDetails } from './audit-details';
import { AuditExport } from './audit-export';
import { ACTIONS, ACTORS, auditQuery, KINDS, type AuditFilters } from './audit-filters';
import { AuditSubject } from './audit-subject';
import { actionText, actorText, changeText, kindText } from './audit-words';
import { t } from '../../text/translate';

const PAGE = 100;

const choicesOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

/** Created once, outside the page's function, so that a rendering does not replace an open editor. */
const EDITORS = {
  action: choiceEditor(choicesOf(ACTIONS)),
  kind: choiceEditor(choicesOf(KINDS)),
  subject: textEditor(t('The id of the subject')),
  actor: choiceEditor(choicesOf(ACTORS)),
  key: nameEditor('key'),
  person: nameEditor('person'),
} satisfies Record<keyof AuditFilters, Filter['Editor']>;

const filtersWith = (names: Names): Filter[] => [
  { name: 'action', label: t('Action'), textOf: actionText, Editor: EDITORS.action },
  { name: 'kind', label: t('Kind'), textOf: kindText, Editor: EDITORS.kind },
  { name: 'person', label: t('Person'), textOf: names.person, Editor: EDITORS.person },
  { name: 'key', label: t('Acting key'), textOf: names.key, Editor: EDITORS.key },
  { name: 'actor', label: t('By'), textOf: (actor) => ACTORS[actor as keyof typeof ACTORS], Editor: EDITORS.actor },
  { name: 'subject', label: t('Subject'), textOf: (id) => id, Editor: EDITORS.subject },
];

const changeWords = ({ changes, role }: AuditEntry): string => changes?.map(changeText).join('; ') || (role ?? '');

interface Shown {
  readonly names: Names;
  /** Whether any entry has a change. */
  readonly hasChanges: boolean;
  readonly open: (entry: AuditEntry) => void;
}

function columnsWith({ names, hasChanges, open }: Shown): Column<AuditEntry>[] {
  const what: Column<AuditEntry> = { header: t('What changed'), cell: (entry) => changeWords(entry) || ABSENT };
  return [
    {
      header: t('Time ({zone})', { zone: zoneLabel() }),
      cell: (entry) => (
        <Anchor component="button" type="button" inherit onClick={() => open(entry)}>
          {timestamp(entry.at)}
        </Anchor>
      ),
    },
    { header: t('By'), cell: (entry) => actorText(entry, names) },
    { header: t('Action'), cell: ({ action }) => actionText(action) },
    { header: t('Kind'), cell: ({ kind }) => kindText(kind) },
    { header: t('Subject'), cell: (entry) => <AuditSubject entry={entry} names={names} /> },
    ...(hasChanges ? [what] : []),
    { header: t('From'), cell: ({ address }) => address ?? ABSENT },
  ];
}

/** Lists each management operation and each use of a secret. */
export function AuditPage(): ReactNode {
  const search = useSearch({ from: '/audit' });
  const navigate = useNavigate({ from: '/audit' });
  const { time } = useScope();
  const names = useNames();
  const [opened, open] = useState<AuditEntry>();
  const query = useMemo(() => auditQuery(search, time), [search, time]);
  const entries = useCursorList(QUERY_KEYS.audit(query), (cursor) =>
    body(api.GET('/api/v1/audit', { params: { query: { ...query, with_changes: true, cursor, limit: PAGE } } })),
  );
  const hasChanges = entries.rows.some((entry) => changeWords(entry) !== '');
  const columns = useMemo(() => columnsWith({ names, hasChanges, open }), [names, hasChanges]);
  const change = (part: AuditFilters): void => void navigate({ search: (now) => ({ ...now, ...part }), replace: true });
  return (
    <Stack gap="sm">
      <PageHeader
        title={t('Audit')}
        about={t('Who did what, when and from where. Entries cannot be changed or deleted.')}
      />
      <Group justify="space-between" align="flex-start" gap="xs">
        <FilterBar filters={filtersWith(names)} values={{ ...search }} onChange={change} />
        <Group gap="xs">
          <AuditExport query={query} />
        </Group>
      </Group>
      <CursorTable
        label={t('Audit')}
        list={entries}
        columns={columns}
        rowKey={({ entry_id }) => entry_id}
        empty={t('No entry matches. Choose another time above, or remove a filter.')}
      />
      <AuditDetails entry={opened} names={names} onClose={() => open(undefined)} />
    </Stack>
  );
}
