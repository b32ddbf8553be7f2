import { Button, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { PermissionOption, Question } from '../../talks/talk';
import { readOperation } from './operation';
import { OperationView } from './operation-view';
import { t } from '../../text/translate';

type Lasting = Extract<PermissionOption, 'allow_always' | 'reject_always'>;

const LABELS: Readonly<Record<Lasting, string>> = {
  allow_always: t('Always allow'),
  reject_always: t('Always reject'),
};

interface PermissionQuestionProps {
  readonly question: Extract<Question, { kind: 'permission' }>;
  readonly onAnswer: (option: PermissionOption) => void;
}

/** A call that waits for permission. "This time" takes effect at once; "always" first explains its scope. */
export function PermissionQuestion({ question: { operation }, onAnswer }: PermissionQuestionProps): ReactNode {
  const [lasting, setLasting] = useState<Lasting | null>(null);
  const [left, setLeft] = useState<Lasting | null>(null);
  const leave = (): void => {
    setLeft(lasting);
    setLasting(null);
  };
  return (
    <Stack gap="sm">
      <OperationView operation={operation} />
      {lasting ? (
        <LastingAnswer option={lasting} operation={operation} onAnswer={() => onAnswer(lasting)} onLeave={leave} />
      ) : (
        <Group gap="xs" justify="space-between">
          <Group gap="xs">
            <Button size="xs" onClick={() => onAnswer('allow_once')}>
              {t('Allow once')}
            </Button>
            <Button size="xs" variant="default" onClick={() => onAnswer('reject_once')}>
              {t('Reject')}
            </Button>
          </Group>
          <Group gap="xs">
            {(['allow_always', 'reject_always'] as const).map((option) => (
              <Button
                key={option}
                size="xs"
                variant="subtle"
                autoFocus={option === left}
                onClick={() => setLasting(option)}
              >
                {LABELS[option]}…
              </Button>
            ))}
          </Group>
        </Group>
      )}
    </Stack>
  );
}

interface LastingAnswerProps {
  readonly option: Lasting;
  readonly operation: string;
  readonly onAnswer: () => void;
  readonly onLeave: () => void;
}

/** Explains the scope and duration of an answer that also applies later. */
function LastingAnswer({ option, operation, onAnswer, onLeave }: LastingAnswerProps): ReactNode {
  const { tool, covers = t('every call of {tool}', { tool }) } = readOperation(operation);
  return (
    <Stack gap="xs" role="group" aria-label={LABELS[option]}>
      <Text size="sm" className="wrap">
        {LABELS[option]} <strong>{covers}</strong>?
      </Text>
      <Text size="sm" className="wrap">
        {t('It holds for this session until the session is deleted, also after a restart of the intern.')}{' '}
        {option === 'allow_always'
          ? t('You are not asked about such calls again.')
          : t('Such calls fail without a question.')}{' '}
        {t('Other sessions ask.')}
      </Text>
      <Group gap="xs">
        <Button size="xs" color={option === 'allow_always' ? 'orange' : 'red'} variant="outline" onClick={onAnswer}>
          {LABELS[option]}
        </Button>
        <Button size="xs" variant="default" autoFocus onClick={onLeave}>
          {t('Back')}
        </Button>
      </Group>
    </Stack>
  );
}
