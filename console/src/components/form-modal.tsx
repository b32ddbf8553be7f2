import { Button, Group, Modal, Stack, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent, type ReactNode } from 'react';
import { changedMembers } from '../format/changes';
import { FaultAlert } from './fault-alert';
import { useKeptFocus } from './use-kept-focus';

interface FormModalProps<Values> extends Omit<ButtonProps, 'children'> {
  readonly 'aria-label'?: string;
  readonly id?: string;
  /** On the button that opens the form. */
  readonly label: string;
  readonly title: string;
  /** On the button that sends the form. */
  readonly action: string;
  readonly initial: Values;
  /** `changes`: what differs from the values with which the form was opened. */
  readonly onSubmit: (values: Values, changes: Partial<Values>) => Promise<unknown>;
  readonly children: (values: Values, change: (part: Partial<Values>) => void) => ReactNode;
}

/** A button that opens a form. It closes when the form was accepted. */
export function FormModal<Values extends object>(props: FormModalProps<Values>): ReactNode {
  const { label, title, action, initial, onSubmit, children, ...look } = props;
  const [isOpen, { open, close }] = useDisclosure();
  const [values, setValues] = useState(initial);
  const [before, setBefore] = useState(initial);
  const sending = useMutation({
    mutationFn: (sent: Values) => onSubmit(sent, changedMembers(before, sent)),
    onSuccess: () => {
      close();
      // The fields may hold a secret.
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
      <Button onClick={begin} {...look}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
        <form onSubmit={submit}>
          <Stack>
            {children(values, (part) => setValues((now) => ({ ...now, ...part })))}
            {sending.error && <FaultAlert error={sending.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button ref={button} type="submit" loading={sending.isPending}>
                {action}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
