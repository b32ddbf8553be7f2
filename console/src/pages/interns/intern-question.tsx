import { Alert, Button, Group, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent, type ReactNode } from 'react';
import type { AskedQuestion, Question, QuestionField } from '../../talks/talk';
import { PermissionQuestion } from './permission-question';
import { t } from '../../text/translate';

interface InternQuestionProps {
  readonly asked: AskedQuestion;
  /** Sends the content of the answer. */
  readonly onAnswer: (content: string) => void;
}

/** A question for approval or for input, with its possible answers. */
export function InternQuestion({ asked: { question }, onAnswer }: InternQuestionProps): ReactNode {
  return (
    <Alert variant="outline" title={t('The intern waits for you')} role="alert">
      {question.kind === 'permission' ? (
        <PermissionQuestion question={question} onAnswer={onAnswer} />
      ) : (
        <Elicitation question={question} onAnswer={onAnswer} />
      )}
    </Alert>
  );
}

type Value = string | number | boolean;

interface ElicitationProps {
  readonly question: Extract<Question, { kind: 'elicitation' }>;
  readonly onAnswer: (content: string) => void;
}

function Elicitation({ question: { message, fields }, onAnswer }: ElicitationProps): ReactNode {
  const [content, setContent] = useState<Readonly<Record<string, Value>>>({});
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onAnswer(JSON.stringify({ action: 'accept', content }));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Text className="wrap">{message}</Text>
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={content[field.name]}
            onChange={(value) => setContent((now) => ({ ...now, [field.name]: value }))}
          />
        ))}
        <Group gap="xs">
          <Button type="submit" size="xs">
            {t('Answer')}
          </Button>
          <Button size="xs" variant="default" onClick={() => onAnswer(JSON.stringify({ action: 'decline' }))}>
            {t('Decline')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FieldProps {
  readonly field: QuestionField;
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
}

function Field({ field: { name, type, description, required }, value, onChange }: FieldProps): ReactNode {
  const look = { label: name, description, required };
  if (type === 'boolean')
    return (
      <Switch
        label={name}
        description={description}
        checked={value === true}
        onChange={({ currentTarget: { checked } }) => onChange(checked)}
      />
    );
  if (type === 'number')
    return (
      <NumberInput
        {...look}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => onChange(Number(next))}
      />
    );
  return (
    <TextInput
      {...look}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
