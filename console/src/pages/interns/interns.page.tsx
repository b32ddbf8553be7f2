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

const COLOURS: Partial<Record<InternRecord['status'], string>> = {
  running: 'green',
  failed: 'red',
  destroy_failed: 'red',
  stopped: 'gray',
};

/** The state, with the step while one is under way. */
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
            aria-label={`Step ${progress.step_number} of ${progress.total_steps}`}
          />
        </div>
      )}
    </Group>
  );
}

const columnsOf = (waiting: readonly WaitingQuestion[]): readonly Column<InternRecord>[] => [
  {
    header: 'Name',
    cell: ({ id, name }) => (
      <Group gap="xs" wrap="nowrap">
        <PageLink to="/interns/$id" params={{ id }}>
          {name}
        </PageLink>
        <WaitingLink name={name} waiting={waiting.filter(({ internId }) => internId === id)} />
      </Group>
    ),
  },
  { header: 'State', cell: (intern) => <InternState intern={intern} /> },
  { header: 'Model', cell: ({ model }) => model ?? 'default of the workspace' },
  { header: 'Changed', cell: ({ updated_at }) => <Ago iso={updated_at} /> },
];

interface WaitingLinkProps {
  readonly name: string;
  readonly waiting: readonly WaitingQuestion[];
}

/** How many questions of an intern wait, as a link to the first one. */
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

/** Long-lived assistants with a disk and a vault of their own. */
export function InternsPage(): ReactNode {
  const interns = useQuery(internList);
  const waiting = useWaitingQuestions();
  return (
    <Stack>
      <PageHeader
        title="Interns"
        about="Assistants with a disk and a vault of secrets of their own. They think with a model."
      >
        <CreateIntern />
      </PageHeader>
      <Loaded query={interns}>
        {(rows) => (
          <DataTable
            label="Interns"
            columns={columnsOf(waiting)}
            rows={rows}
            rowKey={({ id }) => id}
            empty="There is no intern yet. Create one, then talk to it."
          />
        )}
      </Loaded>
    </Stack>
  );
}
