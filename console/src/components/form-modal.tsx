import { Button, Group, Stack, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type SyntheticEvent, type ReactNode } from 'react';
import { changedMembers } from '../format/changes';
import { Dialog } from './dialog';
import { FaultAlert } from './fault-alert';
import { ActionButton } from './row-menu';
import { useKeptFocus } from './use-kept-focus';
import { useSingleMutation } from './use-single-mutation';
import { t } from '../text/translate';

interface FormModalProps<Values> extends Omit<ButtonProps, 'children'> {
  readonly 'aria-label'?: string;
  readonly id?: string;
  /** The text of the button that opens the form. */
  readonly label: string;
  readonly title: string;
  /** The text of the button that sends the form. */
  readonly action: string;
  readonly initial: Values;
  /** `changes`: the differences from the values with which the form was opened. */
  readonly onSubmit: (values: Values, changes: Partial<Values>) => Promise<unknown>;
  readonly children: (values: Values, change: (part: Partial<Values>) => void) => ReactNode;
}

/** A button that opens a form in a dialog. The dialog closes after `onSubmit` succeeds. */
export function FormModal<Values extends object>(props: FormModalProps<Values>): ReactNode {
  const { label, title, action, initial, onSubmit, children, ...look } = props;
  const [isOpen, { open, close }] = useDisclosure();
  const [values, setValues] = useState(initial);
  const [before, setBefore] = useState(initial);
  const sending = useSingleMutation({
    mutationFn: (sent: Values) => onSubmit(sent, changedMembers(before, sent)),
    onSuccess: () => {
      close();
      // The fields may contain a secret.
      setValues(initial);
    },
  });
  const button = useKeptFocus(sending.isPending);
  const begin = (): void => {
    setValues(initial);
    setBefore(initial);
    sending.reset();
    open();
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    sending.mutate(values);
  };
  return (
    <>
      <ActionButton label={label} onClick={begin} {...look} />
      <Dialog opened={isOpen} onClose={close} title={title}>
        <form onSubmit={submit}>
          <Stack>
            {children(values, (part) => setValues((now) => ({ ...now, ...part })))}
            {sending.error && <FaultAlert error={sending.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {t('Cancel')}
              </Button>
              <Button ref={button} type="submit" loading={sending.isPending}>
                {action}
              </Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
    </>
  );
}
