import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { CodeBlock } from '../../components/code-block';
import { ClientTabs } from '../../clients/client-tabs';
import { hideSecret, useShownSecret } from './shown-secret';

/** Shows a new secret once, with the commands that use it. Only Done closes it. */
export function NewSecret(): ReactNode {
  const shown = useShownSecret();
  const opener = useRef<string>(undefined);
  if (shown) opener.current = shown.opener;
  const focusOpener = (): void => document.getElementById(opener.current ?? '')?.focus();
  return (
    <Modal
      opened={shown !== null}
      onClose={hideSecret}
      title="Your new key"
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      // By itself it would return the focus to the form that was sent, which is gone.
      returnFocus={false}
      onExitTransitionEnd={focusOpener}
    >
      <Stack>
        <Alert color="orange" variant="outline" title="Copy it now">
          The service keeps only a hash of it and cannot show it again.
        </Alert>
        {shown && <CodeBlock label="Key" code={shown.secret} />}
        {shown && <ClientTabs secret={shown.secret} />}
        <Group justify="flex-end">
          <Button onClick={hideSecret}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
