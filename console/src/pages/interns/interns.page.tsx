import { Badge, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { internList } from '../../api/interns';
import type { InternRecord } from '../../api/records';
import { Ago } from '../../components/ago';
import { DataTable, type Column } from '../../table/data-table';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import type { WaitingQuestion } from '../../talks/kept-talks';
import { useWaitingQuestions, waitingWords } from '../../talks/use-waiting-questions';
import { CreateIntern } from './create-intern';
import { t } from '../../text/translate';

const COLOURS: Partial<Record<InternRecord['status'], string>> = {
  running: 'green',
  failed: 'red',
  destroy_failed: 'red',
  stopped: 'gray',
};

/** The state. While a step is running, also the step. */
export function InternState({ intern }: { readonly intern: InternRecord }): ReactNode {
  const { status, progress } = intern;
  return (
    <Group gap="xs" wrap="nowrap">
      <Badge color={COLOURS[status] ?? 'blue'} variant={status === 'stopped' ? 'default' : 'outline'}>
        {status.replaceAll('_', ' ')}
      </Badge>
      {progress && (
        <div style={{ minWidth: 120 }}>
          <Text size="xs">{progress.step_label}</Text>
          <Progress
            value={(progress.step_number / progress.total_steps) * 100}
            aria-label={t('Step {step} of {total}', { step: progress.step_number, total: progress.total_steps })}
          />
        </div>
      )}
    </Group>
  );
}

const columnsOf = (waiting: readonly WaitingQuestion[]): readonly Column<InternRecord>[] => [
  {
    header: t('Name'),
    cell: ({ id, name }) => (
      <Group gap="xs" wrap="nowrap">
        <PageLink to="/interns/$id" params={{ id }}>
          {name}
        </PageLink>
        <WaitingLink name={name} waiting={waiting.filter(({ internId }) => internId === id)} />
      </Group>
    ),
  },
  { header: t('State'), cell: (intern) => <InternState intern={intern} /> },
  { header: t('Model'), cell: ({ model }) => model ?? t('default of the workspace') },
  { header: t('Changed'), cell: ({ updated_at }) => <Ago iso={updated_at} /> },
];

interface WaitingLinkProps {
  readonly name: string;
  readonly waiting: readonly WaitingQuestion[];
}

/** The number of an intern's open questions, as a link to the first one. */
function WaitingLink({ name, waiting: [first, ...more] }: WaitingLinkProps): ReactNode {
  if (!first) return null;
  const words = waitingWords(1 + more.length);
  return (
    <PageLink
      to="/interns/$id"
      params={{ id: first.internId }}
      search={{ tab: 'talk', session: first.sessionId }}
      aria-label={`${words}: ${name}`}
    >
      <Badge size="sm">{words}</Badge>
    </PageLink>
  );
}

/** Long-lived assistants, each with its own disk and vault. */
export function InternsPage(): ReactNode {
  const interns = useQuery(internList);
  const waiting = useWaitingQuestions();
  return (
    <Stack>
      <PageHeader
        title={t('Interns')}
        about={t('Assistants with a disk and a vault of secrets of their own. They think with a model.')}
      >
        <CreateIntern />
      </PageHeader>
      <Loaded query={interns}>
        {(rows) => (
          <DataTable
            label={t('Interns')}
            columns={columnsOf(waiting)}
            rows={rows}
            rowKey={({ id }) => id}
            empty={t('No interns yet. Create one, then talk to it.')}
          />
        )}
      </Loaded>
    </Stack>
  );
}
