import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { exactUsd, milliseconds } from '../../format/amounts';
import type { Decision, Said } from '../../talks/talk';
import { OperationView } from './operation-view';
import { t } from '../../text/translate';

const DECISIONS: Readonly<Record<Decision, string>> = {
  allow_once: t('You allowed it once'),
  allow_always: t('You allowed it for this session'),
  reject_once: t('You rejected it'),
  reject_always: t('You rejected it for this session'),
  accept: t('You answered'),
  decline: t('You declined'),
  cancel: t('You dismissed the question'),
};

/** An entry of a conversation with an intern. */
export function SaidView({ said }: { readonly said: Said }): ReactNode {
  if (said.by === 'question') return <AnsweredQuestion said={said} />;
  return (
    <Paper withBorder={said.by === 'intern'} p="sm">
      <Text size="sm" fw={600}>
        {said.by === 'intern' ? t('Intern') : t('You')}
      </Text>
      {said.by === 'intern' && said.reasoning && (
        <details>
          <summary>{t('Reasoning')}</summary>
          <Text size="sm" c="dimmed" className="wrap">
            {said.reasoning}
          </Text>
        </details>
      )}
      <Text className="wrap">{said.text}</Text>
      {said.by === 'intern' && said.cost !== undefined && (
        <Text size="xs" c="dimmed">
          {t('Cost {cost}', { cost: exactUsd(said.cost) })}
          {said.tookMs !== undefined && ` · ${milliseconds(said.tookMs)}`}
        </Text>
      )}
    </Paper>
  );
}

/** A question and its decision. */
function AnsweredQuestion({
  said: { question, decision, tookMs },
}: {
  readonly said: Extract<Said, { by: 'question' }>;
}) {
  return (
    <Paper withBorder p="sm">
      {question.kind === 'permission' ? (
        <OperationView operation={question.operation} />
      ) : (
        <Text className="wrap">{question.message}</Text>
      )}
      <Text size="sm" c="dimmed" mt="xs">
        {DECISIONS[decision]}
        {tookMs !== undefined && t('; the intern went on after {time}', { time: milliseconds(tookMs) })}
      </Text>
    </Paper>
  );
}
