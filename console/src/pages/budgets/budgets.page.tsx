import { Button, Group, Paper, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useBudgets, type BudgetEntry, type BudgetScope } from '../../api/budgets';
import { useMay } from '../../api/session';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { nameOf } from '../../names/name-store';
import { BudgetRows } from './budget-rows';
import type { ScopeSearch } from '../../scope/scope-search';
import type { BudgetSearch } from './budget-search';
import { pathOf, rowsByShare, treeRows, type Step, type WorkspaceOfKey } from './budget-tree';
import { highestUse } from './budget-use';
import { searchedText, useBudgetNames, type BudgetNames } from './budget-words';
import { CreateBudget } from './create-budget';
import { plural, t } from '../../text/translate';

/** Shows which budgets are near their limit, and when they reset. */
export function BudgetsPage(): ReactNode {
  const budgets = useBudgets();
  const names = useBudgetNames();
  const canWrite = useMay('budgets.write');
  const { workspace, key } = useSearch({ from: '/budgets' });
  const scope = key !== undefined ? { api_key_hash: key } : workspace !== undefined ? { workspace_id: workspace } : {};
  return (
    <Stack>
      <PageHeader
        title={t('Budgets')}
        about={t('What workspaces, members, keys and others may spend in a day, a week, a month, or in all.')}
      >
        {canWrite && <CreateBudget label={t('Create')} aria-label={t('Create budget')} scope={scope} />}
      </PageHeader>
      <Loaded query={budgets}>
        {(entries) => {
          if (entries.length === 0) return <NoBudgets canWrite={canWrite} scope={scope} />;
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
          {canWrite ? t('There is no budget yet.') : t('There is no budget that this session may read.')}{' '}
          {t(
            'A budget is a limit in USD on the calls of a workspace, a member, a key, an end user, a tag or a ' +
              'model, in a day, a week, a month, or in all. A call that does not fit is refused before it begins; ' +
              'a soft budget only reports it.',
          )}
        </Text>
        {canWrite && (
          <CreateBudget
            label={t('Create the first budget')}
            aria-label={t('Create the first budget')}
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
  const [text, setText] = useState('');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const workspaceOf: WorkspaceOfKey = (hash) => nameOf('api_keys', hash)?.workspace_id;
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
          label={t('Filter')}
          placeholder={t('Names, intervals')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label={t('View')}
          data={[
            { value: 'tree', label: t('Tree') },
            { value: 'share', label: t('By share used') },
          ]}
          value={isTree ? 'tree' : 'share'}
          onChange={(view) => go({ view: view === 'share' ? view : undefined })}
        />
      </Group>
      {search.key !== undefined && (
        <Group gap="xs">
          <Text size="sm">
            {t('Only budgets of the key {key}.', { key: names.ofValue('api_key_hash', search.key) })}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => go({ key: undefined })}>
            {t('Show all')}
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
  if (entries.length === 0) return <Text c="dimmed">{t('No budget matches.')}</Text>;
  return (
    <Text size="sm" role="status">
      {t('{entries}: {reached} at the limit, {near} near it.', {
        entries: plural(entries.length, '{count} budget', '{count} budgets'),
        reached,
        near,
      })}
    </Text>
  );
}
