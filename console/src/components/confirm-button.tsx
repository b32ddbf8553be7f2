import { Button, Group, Stack, Text, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, type ReactNode } from 'react';
import { Dialog } from './dialog';
import { FaultAlert } from './fault-alert';
import { ActionButton } from './row-menu';
import { useKeptFocus } from './use-kept-focus';
import { useSingleMutation } from './use-single-mutation';
import { t } from '../text/translate';

interface ConfirmButtonProps extends ButtonProps {
  /** The word on the button, a verb. */
  readonly label: string;
  /** The object of the action, for the accessible name. */
  readonly subject: string;
  /** The question of the dialog. Absent: the first click runs the action. */
  readonly question?: string;
  readonly onConfirm: () => Promise<unknown>;
  /** Whether the label has the color of errors. */
  readonly isRemoval?: boolean;
}

/** Moves the focus of a removed button to the page, so that screen readers and the keyboard continue there. */
function focusPageLater(): void {
  setTimeout(() => {
    if (document.activeElement === document.body) document.getElementById('page')?.focus({ preventScroll: true });
  });
}

/** A button that runs an action. With a question, a dialog asks for confirmation first. */
export function ConfirmButton(props: ConfirmButtonProps): ReactNode {
  const { label, subject, question, onConfirm, isRemoval, ...look } = props;
  const [isOpen, { open, close }] = useDisclosure();
  const acting = useSingleMutation({ mutationFn: onConfirm, onSuccess: close, onError: open });
  const trigger = useKeptFocus(acting.isPending);
  useEffect(() => focusPageLater, []);
  return (
    <>
      <ActionButton
        ref={trigger}
        label={label}
        size="compact-sm"
        variant="default"
        c={isRemoval ? 'var(--mantine-color-error)' : undefined}
        aria-label={`${label} ${subject}`}
        onClick={question === undefined ? () => acting.mutate() : open}
        loading={!isOpen && acting.isPending}
        {...look}
      />
      <Dialog opened={isOpen} onClose={close} title={`${label} ${subject}?`}>
        <Stack>
          {question !== undefined && <Text size="sm">{question}</Text>}
          {acting.error && <FaultAlert error={acting.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button color="red" loading={acting.isPending} onClick={() => acting.mutate()} data-autofocus>
              {label}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
