import { Input, SegmentedControl, Switch, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { budgetsChanged, type BudgetInterval, type BudgetScope } from '../../api/budgets';
import { api } from '../../api/client';
import { useWorkspaces } from '../../api/workspaces';
import { FormModal } from '../../components/form-modal';
import { BudgetSettings } from './budget-settings';
import { INTERVALS, SCOPE_MEMBERS } from './budget-tree';
import { INTERVAL_WORDS } from './budget-words';
import { NarrowingFields, ScopeFields, scopeOf, type ScopeValues } from './scope-fields';
import { t } from '../../text/translate';

const SETTINGS = {
  interval: 'weekly' as BudgetInterval,
  limit: '' as string | number,
  name: '',
  isSoft: false,
  countsByok: false,
  countsWindow: true,
};

type Values = ScopeValues & typeof SETTINGS;

async function create({ interval, limit, name, isSoft, countsByok, countsWindow, ...scope }: Values): Promise<void> {
  const body = {
    ...scopeOf(scope),
    interval,
    limit_usd: Number(limit),
    soft: isSoft,
    // If absent, the budget of a workspace gets the setting of the workspace.
    ...(countsByok ? { include_byok: true } : {}),
    count_from: countsWindow ? ('window' as const) : ('now' as const),
    ...(name === '' ? {} : { name }),
  };
  await api.POST('/api/v1/budgets', { body });
  await budgetsChanged();
}

interface CreateBudgetProps extends ButtonProps {
  readonly label: string;
  readonly 'aria-label': string;
  /** The initial scope of the form. */
  readonly scope?: BudgetScope;
}

/** The form starts with a weekly budget for `scope`, or for a workspace. */
export function CreateBudget({ scope = {}, ...look }: CreateBudgetProps): ReactNode {
  const workspaces = useWorkspaces();
  const only = workspaces.data?.length === 1 ? { workspace_id: workspaces.data[0]!.id } : {};
  const member = SCOPE_MEMBERS.findLast((name) => scope[name] !== undefined);
  const initial: Values = {
    ...SETTINGS,
    member: member ?? 'workspace_id',
    isEach: false,
    scope: member === undefined ? only : scope,
  };
  return (
    <FormModal {...look} title={t('Create a budget')} action={t('Create')} initial={initial} onSubmit={create}>
      {(values, change) => (
        <>
          <ScopeFields values={values} onChange={change} />
          <BudgetSettings values={values} onChange={change} hasFocus={initial.scope[initial.member] !== undefined}>
            <Input.Wrapper label={t('Resets')} labelElement="div">
              <SegmentedControl
                aria-label={t('Resets')}
                data={INTERVALS.map((value) => ({
                  value,
                  label: value === 'lifetime' ? t('Never') : INTERVAL_WORDS[value],
                }))}
                value={values.interval}
                onChange={(interval) => change({ interval })}
                fullWidth
              />
            </Input.Wrapper>
            <NarrowingFields values={values} onChange={change} />
          </BudgetSettings>
          <Switch
            label={t('Begins with what was spent already in this window')}
            checked={values.countsWindow}
            onChange={({ currentTarget }) => change({ countsWindow: currentTarget.checked })}
          />
        </>
      )}
    </FormModal>
  );
}
