import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { budgetsChanged, ofBudget } from '../../api/budgets';
import { api } from '../../api/client';
import type { BudgetRecord } from '../../api/records';
import { ConfirmButton } from '../../components/confirm-button';
import { FormModal } from '../../components/form-modal';
import { RaiseLimit } from '../../components/raise-limit';
import { BudgetSettings } from './budget-settings';
import { t } from '../../text/translate';

interface BudgetActionsProps {
  readonly budget: BudgetRecord;
  readonly subject: string;
}

export function BudgetActions({ budget, subject }: BudgetActionsProps): ReactNode {
  const { id, limit_usd: limit, raise } = budget;
  return (
    <Group gap="xs">
      <RaiseLimit
        limit={limit}
        raise={raise}
        subject={subject}
        onRaise={async (wanted) => {
          await api.PUT('/api/v1/budgets/{id}/raise', { ...ofBudget(id), body: wanted });
          await budgetsChanged();
        }}
        onEnd={async () => {
          await api.DELETE('/api/v1/budgets/{id}/raise', ofBudget(id));
          await budgetsChanged();
        }}
      />
      <EditBudget budget={budget} subject={subject} />
      <ConfirmButton
        label={t('Delete')}
        subject={subject}
        question={t('Calls are no longer limited by it. What it has counted is lost.')}
        onConfirm={async () => {
          await api.DELETE('/api/v1/budgets/{id}', ofBudget(id));
          await budgetsChanged();
        }}
      />
    </Group>
  );
}

/** Sends only the changed members, so that it does not overwrite changes of others. */
function EditBudget({ budget, subject }: BudgetActionsProps): ReactNode {
  const initial = {
    limit: budget.limit_usd as string | number,
    name: budget.name ?? '',
    isSoft: budget.soft,
    countsByok: budget.include_byok,
  };
  const save = async (_values: typeof initial, changes: Partial<typeof initial>): Promise<void> => {
    const { limit, name, isSoft, countsByok } = changes;
    const body = {
      ...(limit === undefined ? {} : { limit_usd: Number(limit) }),
      ...(name === undefined ? {} : { name: name || null }),
      ...(isSoft === undefined ? {} : { soft: isSoft }),
      ...(countsByok === undefined ? {} : { include_byok: countsByok }),
    };
    await api.PATCH('/api/v1/budgets/{id}', { ...ofBudget(budget.id), body });
    await budgetsChanged();
  };
  return (
    <FormModal
      label={t('Edit')}
      aria-label={t('Edit {subject}', { subject })}
      title={t('Edit: {subject}', { subject })}
      action={t('Save')}
      size="compact-sm"
      variant="default"
      initial={initial}
      onSubmit={save}
    >
      {(values, change) => <BudgetSettings values={values} onChange={change} hasFocus />}
    </FormModal>
  );
}
