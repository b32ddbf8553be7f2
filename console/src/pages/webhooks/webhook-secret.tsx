import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../components/code-block';
import { t } from '../../text/translate';

/** Shows the signing secret once. Only the button "Done" closes the window. */
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
      title={t('The secret that signs')}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Alert color="orange" variant="outline" title={t('Copy it now')}>
          {t('The receiver verifies with it. The service cannot show it again.')}
        </Alert>
        {secret !== null && <CodeBlock label={t('Secret')} code={secret} />}
        <Group justify="flex-end">
          <Button onClick={onDone}>{t('Done')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
