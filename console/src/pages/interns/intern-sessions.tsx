import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { sessionsOf } from '../../api/interns';
import { queries } from '../../api/queries';
import type { InternSession } from '../../api/records';
import { Ago } from '../../components/ago';
import { ConfirmButton } from '../../components/confirm-button';
import { DataTable, type Column } from '../../table/data-table';
import { Loaded } from '../../components/loaded';
import { PageLink } from '../../components/page-link';
import { SectionHeader } from '../../components/page-header';
import { count } from '../../format/amounts';
import { forgetTalk } from '../../talks/kept-talks';
import { t } from '../../text/translate';

interface InternSessionsProps {
  readonly id: string;
  readonly isRunning: boolean;
  readonly onDelete: (session: string) => void;
}

/** The conversations on the disk of an intern, to continue or delete. */
export function InternSessions({ id, isRunning, onDelete }: InternSessionsProps): ReactNode {
  return (
    <Stack>
      <SectionHeader
        title={t('Sessions')}
        about={t('Its conversations. It remembers what was said in the one that you continue.')}
      />
      {isRunning ? (
        <SessionTable id={id} onDelete={onDelete} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('It does not run. Start it to see its sessions.')}
        </Text>
      )}
    </Stack>
  );
}

function SessionTable({ id, onDelete }: Omit<InternSessionsProps, 'isRunning'>): ReactNode {
  const sessions = useQuery(sessionsOf(id));
  const remove = async (session_id: string): Promise<void> => {
    await api.DELETE('/api/v1/interns/{id}/sessions/{session_id}', { params: { path: { id, session_id } } });
    onDelete(session_id);
    forgetTalk(id, session_id);
    await queries.invalidateQueries({ queryKey: sessionsOf(id).queryKey });
  };
  const columns: readonly Column<InternSession>[] = [
    {
      header: t('Session'),
      cell: ({ session_id: session }) => (
        <PageLink
          to="/interns/$id"
          params={{ id }}
          search={{ tab: 'talk', session }}
          aria-label={t('Continue {session}', { session })}
          title={t('Continue')}
        >
          {session}
        </PageLink>
      ),
    },
    { header: t('Turns'), cell: ({ turns }) => count(turns), isNumeric: true },
    { header: t('Started'), cell: ({ created_at }) => <Ago iso={created_at} /> },
    { header: t('Last turn'), cell: ({ updated_at }) => <Ago iso={updated_at} /> },
    {
      header: t('Actions'),
      cell: ({ session_id }) => (
        <ConfirmButton
          label={t('Delete')}
          isRemoval
          subject={session_id}
          question={t('The conversation and its transcript are deleted for good.')}
          onConfirm={() => remove(session_id)}
        />
      ),
    },
  ];
  return (
    <Loaded query={sessions}>
      {(rows) => (
        <DataTable
          label={t('Sessions')}
          columns={columns}
          rows={rows}
          rowKey={({ session_id }) => session_id}
          empty={t('It has no session yet. Talk to it to begin one.')}
        />
      )}
    </Loaded>
  );
}
