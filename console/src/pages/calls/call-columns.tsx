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

const STORED = 'gatehouse.call-columns';

/** Zeros are left out: an embedding has no completion. */
const amount = (value: number, text: (value: number) => string): string => (value === 0 ? ABSENT : text(value));

interface CallColumn extends Column<ListedCall> {
  readonly name: string;
  /** Shown until the reader chooses. */
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
      header: `Time (${zoneLabel()})`,
      cell: ({ id, created_at }) => (
        <PageLink to="/calls/$id" params={{ id }}>
          {timestamp(created_at)}
        </PageLink>
      ),
      isUsual: true,
    },
    { name: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, isUsual: true },
    { name: 'model', header: 'Model', cell: ({ model }) => model ?? ABSENT, isUsual: true },
    {
      name: 'key',
      header: 'Key',
      cell: ({ api_key_hash }) => (api_key_hash ? names.key(api_key_hash) : ABSENT),
      isUsual: true,
    },
    {
      name: 'person',
      header: 'Person',
      cell: (call) => {
        const id = personOf(call);
        return id ? names.person(id) : ABSENT;
      },
    },
    {
      name: 'workspace',
      header: 'Workspace',
      cell: ({ workspace_id }) => (workspace_id ? names.workspace(workspace_id) : ABSENT),
    },
    { name: 'provider', header: 'Provider', cell: ({ provider_name }) => provider_name ?? ABSENT, isUsual: true },
    { name: 'kind', header: 'Kind', cell: ({ kind }) => kind },
    { name: 'user', header: 'End user', cell: ({ external_user }) => external_user ?? ABSENT },
    { name: 'spent', header: 'Spent', cell: ({ usage }) => usd(usage), isNumeric: true, isUsual: true },
    {
      name: 'own',
      header: 'On own credentials',
      cell: ({ is_byok, total_cost }) => (is_byok ? usd(total_cost) : ABSENT),
      isNumeric: true,
    },
    {
      name: 'prompt',
      header: 'Prompt',
      cell: ({ tokens_prompt }) => amount(tokens_prompt, count),
      isNumeric: true,
      isUsual: true,
    },
    { name: 'cached', header: 'Cached', cell: ({ tokens_cached }) => amount(tokens_cached, count), isNumeric: true },
    {
      name: 'completion',
      header: 'Completion',
      cell: ({ tokens_completion }) => amount(tokens_completion, count),
      isNumeric: true,
      isUsual: true,
    },
    { name: 'finish', header: 'Finish', cell: ({ finish_reason }) => finish_reason ?? ABSENT },
    { name: 'first', header: 'First byte', cell: ({ latency }) => amount(latency, milliseconds), isNumeric: true },
    {
      name: 'duration',
      header: 'Duration',
      cell: ({ generation_time }) => milliseconds(generation_time),
      isNumeric: true,
      isUsual: true,
    },
  ];
}

function readStored(): readonly string[] | null {
  // Storage may be refused, and holds what anybody wrote into it.
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
    // The choice is kept until the page is loaded again.
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
  const shown = all.filter(isShown);
  const toggle = (column: CallColumn): void => {
    const next = all.filter((each) => (each.name === column.name ? !isShown(each) : isShown(each))).map(nameOfColumn);
    choose(next);
    store(next);
  };
  const menu = (
    <Popover position="bottom-end" trapFocus shadow="md">
      <Popover.Target>
        <Button variant="default" size="xs">
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="column-menu" aria-label="Columns">
        <Stack gap={6}>
          {all.map((column) => (
            <Checkbox
              key={column.name}
              size="xs"
              label={column.header}
              checked={isShown(column)}
              // Without the time nothing leads to a call.
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
