import { Button, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { BudgetScope } from '../../api/budgets';
import { BudgetCard } from './budget-card';
import type { BudgetRow, Step } from './budget-tree';
import { pathWords, type BudgetNames } from './budget-words';
import { CreateBudget } from './create-budget';
import { t } from '../../text/translate';

const SHOWN_ROWS = 50;

interface BudgetRowsProps {
  readonly rows: readonly BudgetRow[];
  readonly isTree: boolean;
  readonly isClosed: (id: string) => boolean;
  readonly onToggle: (id: string) => void;
  readonly names: BudgetNames;
  readonly canWrite: boolean;
}

/** The rows of the tree, or of the list by share. */
export function BudgetRows({ rows, ...props }: BudgetRowsProps): ReactNode {
  const [shown, setShown] = useState(SHOWN_ROWS);
  return (
    <Stack>
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('Budgets')}>
        {rows.slice(0, shown).map((row) => (
          <Row key={row.id} row={row} {...props} />
        ))}
      </Stack>
      {rows.length > shown && (
        <Button variant="default" w="fit-content" onClick={() => setShown(shown + SHOWN_ROWS)}>
          {t('Show more: {shown} of {rows}', { shown, rows: rows.length })}
        </Button>
      )}
    </Stack>
  );
}

function Row({
  row,
  isTree,
  isClosed,
  onToggle,
  names,
  canWrite,
}: Omit<BudgetRowsProps, 'rows'> & { readonly row: BudgetRow }): ReactNode {
  const { id, path, entries, hasChildren } = row;
  const subject = pathWords(path, names);
  const scope = scopeOfPath(path);
  const isOpen = !isClosed(id);
  return (
    <li className="budget-row" style={{ '--depth': isTree ? path.length - 1 : 0 } as object}>
      <Group gap="xs" mb={entries.length > 0 ? 6 : 0}>
        {hasChildren && (
          <Button
            size="compact-xs"
            variant="default"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? t('Close') : t('Open')} ${subject}`}
            onClick={() => onToggle(id)}
          >
            {isOpen ? '▾' : '▸'}
          </Button>
        )}
        <Text fw={600} className="wrap">
          {isTree ? names.ofStep(path.at(-1)!) : subject}
        </Text>
        {canWrite && isTree && scope && (
          <CreateBudget
            label={t('Add')}
            aria-label={t('Add a budget: {subject}', { subject })}
            size="compact-xs"
            variant="default"
            scope={scope}
          />
        )}
      </Group>
      <div className="budget-cards">
        {entries.map((entry) => (
          <BudgetCard key={entry.budget.id} entry={entry} subject={subject} names={names} canWrite={canWrite} />
        ))}
      </div>
    </li>
  );
}

/**
 * Undefined if the path has no separate scope. A key belongs to one workspace, so its scope need not contain the
 * workspace.
 */
function scopeOfPath(path: readonly Step[]): BudgetScope | undefined {
  const hasKey = path.some(({ member }) => member === 'api_key_hash');
  const steps = path.filter(({ member }) => member !== 'account' && !(hasKey && member === 'workspace_id'));
  if (steps.length === 0 || steps.some(({ value }) => value === null)) return undefined;
  return Object.fromEntries(steps.map(({ member, value }) => [member, value]));
}
