import { Button, Group, Paper, SegmentedControl, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useBudgets, type BudgetEntry, type BudgetScope } from '../../api/budgets';
import { useKeys } from '../../api/keys';
import { useMay } from '../../api/session';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { BudgetRows } from './budget-rows';
import type { ScopeSearch } from '../../scope/scope-search';
import type { BudgetSearch } from './budget-search';
import { pathOf, rowsByShare, treeRows, type Step, type WorkspaceOfKey } from './budget-tree';
import { highestUse } from './budget-use';
import { searchedText, useBudgetNames, type BudgetNames } from './budget-words';
import { CreateBudget } from './create-budget';

/** Who is near a limit, and when it resets. */
export function BudgetsPage(): ReactNode {
  const budgets = useBudgets();
  const names = useBudgetNames();
  const canWrite = useMay('budgets.write');
  const { workspace, key } = useSearch({ from: '/budgets' });
  const scope = key !== undefined ? { api_key_hash: key } : workspace !== undefined ? { workspace_id: workspace } : {};
  return (
    <Stack>
      <PageHeader
        title="Budgets"
        about="What workspaces, members, keys and others may spend in a day, a week, a month, or in all."
      >
        {canWrite && <CreateBudget label="Create" aria-label="Create budget" scope={scope} />}
      </PageHeader>
      <Loaded query={budgets}>
        {(entries) => {
          if (entries.length === 0) return <NoBudgets canWrite={canWrite} scope={scope} />;
          if (!names.isReady) return <Skeleton h={120} role="status" aria-label="Loading" />;
          return <BudgetList entries={entries} names={names} canWrite={canWrite} />;
        }}
      </Loaded>
    </Stack>
  );
}

interface NoBudgetsProps {
  readonly canWrite: boolean;
  readonly scope: BudgetScope;
}

function NoBudgets({ canWrite, scope }: NoBudgetsProps): ReactNode {
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Text>
          {canWrite ? 'There is no budget yet.' : 'There is no budget that this session may read.'} A budget is a limit
          in USD on the calls of a workspace, a member, a key, an end user, a tag or a model, in a day, a week, a month,
          or in all. A call that does not fit is refused before it begins; a soft budget only tells of it.
        </Text>
        {canWrite && (
          <CreateBudget
            label="Create the first budget"
            aria-label="Create the first budget"
            w="fit-content"
            scope={scope}
          />
        )}
      </Stack>
    </Paper>
  );
}

interface BudgetListProps {
  readonly entries: readonly BudgetEntry[];
  readonly names: BudgetNames;
  readonly canWrite: boolean;
}

function BudgetList({ entries, names, canWrite }: BudgetListProps): ReactNode {
  const search = useSearch({ from: '/budgets' });
  const navigate = useNavigate({ from: '/budgets' });
  const keys = useKeys();
  const [text, setText] = useState('');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const workspaces = new Map((keys.data ?? []).map(({ hash, workspace_id }) => [hash, workspace_id]));
  const workspaceOf: WorkspaceOfKey = (hash) => workspaces.get(hash);
  const go = (part: BudgetSearch): void => void navigate({ search: { ...search, ...part }, replace: true });
  const toggle = (id: string): void =>
    setClosed((now) => (now.has(id) ? new Set([...now].filter((each) => each !== id)) : new Set([...now, id])));
  const found = entries.filter((entry) => {
    const path = pathOf(entry, workspaceOf);
    return isWithin(path, search) && searchedText(entry.budget, path, names).includes(text.trim().toLowerCase());
  });
  const isTree = search.view !== 'share';
  return (
    <>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Filter"
          placeholder="Names, intervals"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label="View"
          data={[
            { value: 'tree', label: 'Tree' },
            { value: 'share', label: 'By share used' },
          ]}
          value={isTree ? 'tree' : 'share'}
          onChange={(view) => go({ view: view === 'share' ? view : undefined })}
        />
      </Group>
      {search.key !== undefined && (
        <Group gap="xs">
          <Text size="sm">Only budgets of the key {names.ofValue('api_key_hash', search.key)}.</Text>
          <Button size="compact-sm" variant="default" onClick={() => go({ key: undefined })}>
            Show all
          </Button>
        </Group>
      )}
      <Summary entries={found} />
      <BudgetRows
        rows={isTree ? treeRows(found, workspaceOf, (id) => closed.has(id)) : rowsByShare(found, workspaceOf)}
        isTree={isTree}
        isClosed={(id) => closed.has(id)}
        onToggle={toggle}
        names={names}
        canWrite={canWrite}
      />
    </>
  );
}

const isWithin = (path: readonly Step[], { workspace, key }: BudgetSearch & ScopeSearch): boolean =>
  (workspace === undefined || path.some(({ member, value }) => member === 'workspace_id' && value === workspace)) &&
  (key === undefined || path.some(({ member, value }) => member === 'api_key_hash' && value === key));

function Summary({ entries }: { readonly entries: readonly BudgetEntry[] }): ReactNode {
  const states = entries.map((entry) => highestUse(entry).state);
  const reached = states.filter((state) => state === 'reached').length;
  const near = states.filter((state) => state === 'near').length;
  if (entries.length === 0) return <Text c="dimmed">No budget matches.</Text>;
  return (
    <Text size="sm" role="status">
      {entries.length === 1 ? '1 budget' : `${entries.length} budgets`}: {reached} at the limit, {near} near it.
    </Text>
  );
}
