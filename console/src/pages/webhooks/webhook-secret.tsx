import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../components/code-block';

/** Shows the secret that signs, once. Only Done closes it. */
export function WebhookSecret({
  secret,
  onDone,
}: {
  readonly secret: string | null;
  readonly onDone: () => void;
}): ReactNode {
  return (
    <Modal
      opened={secret !== null}
      onClose={onDone}
      title="The secret that signs"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Alert color="orange" variant="outline" title="Copy it now">
          The receiver verifies with it. The service cannot show it again.
        </Alert>
        {secret !== null && <CodeBlock label="Secret" code={secret} />}
        <Group justify="flex-end">
          <Button onClick={onDone}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
