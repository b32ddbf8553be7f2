import { Input, NumberInput, SegmentedControl, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { exactUsd } from '../format/amounts';
import { moment } from '../format/times';
import { ConfirmButton } from './confirm-button';
import { FormModal } from './form-modal';

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

export interface Raise {
  readonly amount_usd: number;
  readonly until: string;
}

interface RaiseLimitProps {
  readonly limit: number;
  /** The present one. */
  readonly raise: Raise | null;
  /** Whose limit it is. */
  readonly subject: string;
  readonly onRaise: (raise: Raise) => Promise<void>;
  readonly onEnd: () => Promise<void>;
}

/** Raises a limit until a time, and ends the raise. */
export function RaiseLimit({ limit, raise, subject, onRaise, onEnd }: RaiseLimitProps): ReactNode {
  return (
    <>
      <RaiseForm limit={limit} raise={raise} subject={subject} onRaise={onRaise} />
      {raise && (
        <ConfirmButton
          label="End the raise"
          subject={`of ${subject}`}
          question={`The limit is ${exactUsd(limit)} again.`}
          onConfirm={onEnd}
        />
      )}
    </>
  );
}

function RaiseForm({ limit, raise, subject, onRaise }: Omit<RaiseLimitProps, 'onEnd'>): ReactNode {
  const send = (values: typeof INITIAL): Promise<void> =>
    onRaise({ amount_usd: Number(values.amount), until: endOf(values) ?? '' });
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
