import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { ListedCall } from '../../api/records';
import type { Column } from '../../table/data-table';
import { PageLink } from '../../components/page-link';
import { ABSENT, count, milliseconds, usd } from '../../format/amounts';
import { timestamp, zoneLabel } from '../../format/times';
import { nameOf } from '../../names/name-store';
import type { Names } from '../../names/use-names';
import { StatusBadge } from './status-badge';
import { t } from '../../text/translate';

const STORED = 'gatehouse.call-columns';

/** Zeros are omitted: for example, an embedding has no completion. */
const amount = (value: number, text: (value: number) => string): string => (value === 0 ? ABSENT : text(value));

interface CallColumn extends Column<ListedCall> {
  readonly name: string;
  /** Shown by default. */
  readonly isUsual?: boolean;
}

/** The person whose key made a call. */
export function personOf(call: ListedCall): string | null {
  return (call.api_key_hash && nameOf('api_keys', call.api_key_hash)?.creator_user_id) || null;
}

function allColumns(names: Names): CallColumn[] {
  return [
    {
      name: 'time',
      header: t('Time ({zone})', { zone: zoneLabel() }),
      cell: ({ id, created_at }) => (
        <PageLink to="/calls/$id" params={{ id }}>
          {timestamp(created_at)}
        </PageLink>
      ),
      isUsual: true,
    },
    { name: 'status', header: t('Status'), cell: ({ status }) => <StatusBadge status={status} />, isUsual: true },
    { name: 'model', header: t('Model'), cell: ({ model }) => model ?? ABSENT, isUsual: true },
    {
      name: 'key',
      header: t('Key'),
      cell: ({ api_key_hash }) => (api_key_hash ? names.key(api_key_hash) : ABSENT),
      isUsual: true,
    },
    {
      name: 'person',
      header: t('Person'),
      cell: (call) => {
        const id = personOf(call);
        return id ? names.person(id) : ABSENT;
      },
    },
    {
      name: 'workspace',
      header: t('Workspace'),
      cell: ({ workspace_id }) => (workspace_id ? names.workspace(workspace_id) : ABSENT),
    },
    {
      name: 'provider',
      header: t('Provider'),
      cell: ({ provider_name }) => provider_name ?? ABSENT,
      isUsual: true,
      isSecondary: true,
    },
    { name: 'kind', header: t('Kind'), cell: ({ kind }) => kind },
    { name: 'user', header: t('End user'), cell: ({ external_user }) => external_user ?? ABSENT },
    { name: 'spent', header: t('Spent'), cell: ({ usage }) => usd(usage), isNumeric: true, isUsual: true },
    {
      name: 'own',
      header: t('On own credentials'),
      cell: ({ is_byok, total_cost }) => (is_byok ? usd(total_cost) : ABSENT),
      isNumeric: true,
    },
    {
      name: 'prompt',
      header: t('Prompt'),
      cell: ({ tokens_prompt }) => amount(tokens_prompt, count),
      isNumeric: true,
      isUsual: true,
    },
    { name: 'cached', header: t('Cached'), cell: ({ tokens_cached }) => amount(tokens_cached, count), isNumeric: true },
    {
      name: 'completion',
      header: t('Completion'),
      cell: ({ tokens_completion }) => amount(tokens_completion, count),
      isNumeric: true,
      isUsual: true,
    },
    { name: 'finish', header: t('Finish'), cell: ({ finish_reason }) => finish_reason ?? ABSENT },
    { name: 'first', header: t('First byte'), cell: ({ latency }) => amount(latency, milliseconds), isNumeric: true },
    {
      name: 'duration',
      header: t('Duration'),
      cell: ({ generation_time }) => milliseconds(generation_time),
      isNumeric: true,
      isUsual: true,
    },
  ];
}

function readStored(): readonly string[] | null {
  // Storage may be refused, and anyone may have written its contents.
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? 'null');
    return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : null;
  } catch {
    return null;
  }
}

function store(chosen: readonly string[]): void {
  try {
    localStorage.setItem(STORED, JSON.stringify(chosen));
  } catch {
    // Without storage, the choice is lost when the page is reloaded.
  }
}

interface ColumnChoice {
  readonly columns: readonly Column<ListedCall>[];
  /** The menu of columns. */
  readonly menu: ReactNode;
}

/** The columns that the reader has chosen in this browser. */
export function useCallColumns(names: Names): ColumnChoice {
  const [chosen, choose] = useState(readStored);
  const all = allColumns(names);
  const isShown = ({ name, isUsual }: CallColumn): boolean => chosen?.includes(name) ?? isUsual === true;
  // A narrow window shows all columns that the reader chose.
  const shown = all.filter(isShown).map((column) => (chosen ? { ...column, isSecondary: false } : column));
  const toggle = (column: CallColumn): void => {
    const next = all.filter((each) => (each.name === column.name ? !isShown(each) : isShown(each))).map(nameOfColumn);
    choose(next);
    store(next);
  };
  const menu = (
    <Popover position="bottom-end" trapFocus shadow="md">
      <Popover.Target>
        <Button variant="default" size="xs">
          {t('Columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="column-menu" aria-label={t('Columns')}>
        <Stack gap={6}>
          {all.map((column) => (
            <Checkbox
              key={column.name}
              size="xs"
              label={column.header}
              checked={isShown(column)}
              // Without the time, no column links to the call.
              disabled={column.name === 'time'}
              onChange={() => toggle(column)}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
  return { columns: shown, menu };
}

const nameOfColumn = ({ name }: CallColumn): string => name;
