import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { exactUsd } from '../../format/amounts';
import type { Decision, Said } from '../../talks/talk';
import { OperationView } from './operation-view';

const DECISIONS: Readonly<Record<Decision, string>> = {
  allow_once: 'You allowed it once',
  allow_always: 'You allowed it for this session',
  reject_once: 'You rejected it',
  reject_always: 'You rejected it for this session',
  accept: 'You answered',
  decline: 'You declined',
  cancel: 'You dismissed the question',
};

/** An entry of a conversation with an intern. */
export function SaidView({ said }: { readonly said: Said }): ReactNode {
  if (said.by === 'question') return <AnsweredQuestion said={said} />;
  return (
    <Paper withBorder={said.by === 'intern'} p="sm">
      <Text size="sm" fw={600}>
        {said.by === 'intern' ? 'Intern' : 'You'}
      </Text>
      {said.by === 'intern' && said.reasoning && (
        <Text size="sm" fs="italic" className="wrap">
          {said.reasoning}
        </Text>
      )}
      <Text className="wrap">{said.text}</Text>
      {said.by === 'intern' && said.cost !== undefined && (
        <Text size="xs" c="dimmed">
          Cost {exactUsd(said.cost)}
        </Text>
      )}
    </Paper>
  );
}

/** A question and what was decided. */
function AnsweredQuestion({ said: { question, decision } }: { readonly said: Extract<Said, { by: 'question' }> }) {
  return (
    <Paper withBorder p="sm">
      {question.kind === 'permission' ? (
        <OperationView operation={question.operation} />
      ) : (
        <Text className="wrap">{question.message}</Text>
      )}
      <Text size="sm" c="dimmed" mt="xs">
        {DECISIONS[decision]}
      </Text>
    </Paper>
  );
}
