import { Input, NumberInput, SegmentedControl, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { exactUsd } from '../format/amounts';
import { moment } from '../format/times';
import { ConfirmButton } from './confirm-button';
import { FormModal } from './form-modal';
import { t } from '../text/translate';

const DAY_MS = 86_400_000;
const ENDS = [
  { value: '3', label: t('3 days') },
  { value: '7', label: t('A week') },
  { value: 'other', label: t('Other') },
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
  /** The current raise. */
  readonly raise: Raise | null;
  /** The owner of the limit. */
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
          label={t('End the raise')}
          subject={t('of {subject}', { subject })}
          question={t('The limit is {limit} again.', { limit: exactUsd(limit) })}
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
      label={t('Raise')}
      aria-label={t('Raise {subject}', { subject })}
      title={t('Raise for a time: {subject}', { subject })}
      action={t('Raise')}
      size="compact-sm"
      variant="default"
      initial={INITIAL}
      onSubmit={send}
    >
      {(values, change) => (
        <>
          {raise && (
            <Text size="sm">{t('It replaces the raise of {amount}.', { amount: exactUsd(raise.amount_usd) })}</Text>
          )}
          <NumberInput
            label={t('Raise by, USD')}
            required
            data-autofocus
            min={0}
            decimalScale={9}
            value={values.amount}
            onChange={(amount) => change({ amount })}
          />
          <Input.Wrapper label={t('For')} labelElement="div">
            <SegmentedControl
              aria-label={t('For')}
              data={ENDS}
              value={values.end}
              onChange={(end) => change({ end })}
              fullWidth
            />
          </Input.Wrapper>
          {values.end === 'other' && (
            <TextInput
              type="datetime-local"
              label={t('Until')}
              required
              value={values.until}
              onChange={(event) => change({ until: event.currentTarget.value })}
            />
          )}
          <Text size="sm" c="dimmed">
            {t('The limit is {amount} until {end}, then {limit} again.', {
              amount: raisedTo(values.amount),
              end: moment(endOf(values)),
              limit: exactUsd(limit),
            })}
          </Text>
        </>
      )}
    </FormModal>
  );
}
