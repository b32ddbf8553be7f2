import { Button, Group, Paper, Stack, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent, type ReactNode } from 'react';
import { changedMembers } from '../format/changes';
import { FaultAlert } from './fault-alert';
import { useKeptFocus } from './use-kept-focus';

interface SavedFormProps<Values> {
  readonly title: string;
  readonly initial: Values;
  /** `changes`: what differs from the values that were loaded or saved last. */
  readonly onSave: (values: Values, changes: Partial<Values>) => Promise<unknown>;
  readonly children: (values: Values, change: (part: Partial<Values>) => void) => ReactNode;
}

/** A form that stays on its page and says when it was saved. */
export function SavedForm<Values extends object>({
  title,
  initial,
  onSave,
  children,
}: SavedFormProps<Values>): ReactNode {
  const [values, setValues] = useState(initial);
  const [before, setBefore] = useState(initial);
  const saving = useMutation({
    mutationFn: (sent: Values) => onSave(sent, changedMembers(before, sent)),
    onSuccess: (_saved, sent) => setBefore(sent),
  });
  const button = useKeptFocus(saving.isPending);
  const change = (part: Partial<Values>): void => {
    saving.reset();
    setValues((now) => ({ ...now, ...part }));
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    saving.mutate(values);
  };
  return (
    <Paper withBorder p="sm" component="section" aria-label={title}>
      <Title order={2} mb="xs">
        {title}
      </Title>
      <form onSubmit={submit}>
        <Stack maw={560}>
          {children(values, change)}
          {saving.error && <FaultAlert error={saving.error} />}
          <Group>
            <Button ref={button} type="submit" loading={saving.isPending} aria-label={`Save: ${title}`}>
              {saving.isSuccess ? 'Saved' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
