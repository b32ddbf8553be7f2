import { Button, Group, Paper, Stack, Title } from '@mantine/core';
import { useState, type SyntheticEvent, type ReactNode } from 'react';
import { changedMembers } from '../format/changes';
import { FaultAlert } from './fault-alert';
import { useKeptFocus } from './use-kept-focus';
import { useSingleMutation } from './use-single-mutation';
import { t } from '../text/translate';

interface SavedFormProps<Values> {
  readonly title: string;
  readonly initial: Values;
  /** `changes`: the differences from the values that were last loaded or saved. */
  readonly onSave: (values: Values, changes: Partial<Values>) => Promise<unknown>;
  readonly children: (values: Values, change: (part: Partial<Values>) => void) => ReactNode;
}

/** A form that stays on its page and confirms that it was saved. */
export function SavedForm<Values extends object>({
  title,
  initial,
  onSave,
  children,
}: SavedFormProps<Values>): ReactNode {
  const [values, setValues] = useState(initial);
  const [before, setBefore] = useState(initial);
  const saving = useSingleMutation({
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
            <Button ref={button} type="submit" loading={saving.isPending} aria-label={t('Save: {title}', { title })}>
              {saving.isSuccess ? t('Saved') : t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
