import { Button, Group, Modal, Stack, Text, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { FaultAlert } from './fault-alert';
import { useKeptFocus } from './use-kept-focus';

interface ConfirmButtonProps extends ButtonProps {
  /** The word on the button, a verb. */
  readonly label: string;
  /** What it acts on, for the accessible name. */
  readonly subject: string;
  /** Absent: it acts at once, as what can be undone by the same button. */
  readonly question?: string;
  readonly onConfirm: () => Promise<unknown>;
}

/** The focus of a button that was removed goes to the page, so that readers and keys go on from there. */
function focusPageLater(): void {
  setTimeout(() => {
    if (document.activeElement === document.body) document.getElementById('page')?.focus({ preventScroll: true });
  });
}

/** A button whose action takes a second click. */
export function ConfirmButton({ label, subject, question, onConfirm, ...look }: ConfirmButtonProps): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  const acting = useMutation({ mutationFn: onConfirm, onSuccess: close, onError: open });
  const trigger = useKeptFocus(acting.isPending);
  useEffect(() => focusPageLater, []);
  return (
    <>
      <Button
        ref={trigger}
        size="compact-sm"
        variant="default"
        aria-label={`${label} ${subject}`}
        onClick={question === undefined ? () => acting.mutate() : open}
        loading={!isOpen && acting.isPending}
        {...look}
      >
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={`${label} ${subject}?`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Stack>
          {question !== undefined && <Text size="sm">{question}</Text>}
          {acting.error && <FaultAlert error={acting.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button color="red" loading={acting.isPending} onClick={() => acting.mutate()} data-autofocus>
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
