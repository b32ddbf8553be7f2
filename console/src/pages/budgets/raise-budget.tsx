import { Input, NumberInput, SegmentedControl, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { budgetsChanged, ofBudget } from '../../api/budgets';
import { api } from '../../api/client';
import type { BudgetRecord } from '../../api/records';
import { FormModal } from '../../components/form-modal';
import { exactUsd } from '../../format/amounts';
import { moment } from '../../format/times';

const DAY_MS = 86_400_000;
const ENDS = [
  { value: '3', label: '3 days' },
  { value: '7', label: 'A week' },
  { value: 'other', label: 'Other' },
];

const INITIAL = { amount: '' as string | number, end: '3', until: '' };

/** Undefined = not chosen yet. */
function endOf({ end, until }: typeof INITIAL): string | undefined {
  if (end !== 'other') return new Date(Date.now() + Number(end) * DAY_MS).toISOString();
  return until === '' ? undefined : new Date(until).toISOString();
}

interface RaiseBudgetProps {
  readonly budget: BudgetRecord;
  readonly subject: string;
}

/** More than the limit until a time. */
export function RaiseBudget({ budget: { id, limit_usd: limit, raise }, subject }: RaiseBudgetProps): ReactNode {
  const send = async (values: typeof INITIAL): Promise<void> => {
    const wanted = { amount_usd: Number(values.amount), until: endOf(values) ?? '' };
    await api.PUT('/api/v1/budgets/{id}/raise', { ...ofBudget(id), body: wanted });
    await budgetsChanged();
  };
  const raisedTo = (amount: string | number): string => exactUsd(limit + Number(amount));
  return (
    <FormModal
      label="Raise"
      aria-label={`Raise ${subject}`}
      title={`Raise for a time: ${subject}`}
      action="Raise"
      size="compact-sm"
      variant="default"
      initial={INITIAL}
      onSubmit={send}
    >
      {(values, change) => (
        <>
          {raise && <Text size="sm">It replaces the raise of {exactUsd(raise.amount_usd)}.</Text>}
          <NumberInput
            label="Raise by, USD"
            required
            data-autofocus
            min={0}
            decimalScale={9}
            value={values.amount}
            onChange={(amount) => change({ amount })}
          />
          <Input.Wrapper label="For" labelElement="div">
            <SegmentedControl
              aria-label="For"
              data={ENDS}
              value={values.end}
              onChange={(end) => change({ end })}
              fullWidth
            />
          </Input.Wrapper>
          {values.end === 'other' && (
            <TextInput
              type="datetime-local"
              label="Until"
              required
              value={values.until}
              onChange={(event) => change({ until: event.currentTarget.value })}
            />
          )}
          <Text size="sm" c="dimmed">
            {`The limit is ${raisedTo(values.amount)} until ${moment(endOf(values))}, then ${exactUsd(limit)} again.`}
          </Text>
        </>
      )}
    </FormModal>
  );
}
