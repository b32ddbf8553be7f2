import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { lazy, Suspense, useRef, type ReactNode } from 'react';
import { CodeBlock } from '../../components/code-block';
import { useNames } from '../../names/use-names';
import { hideSecret, useShownSecret } from './shown-secret';
import { t } from '../../text/translate';

const ClientTabs = lazy(async () => ({ default: (await import('../../clients/client-tabs')).ClientTabs }));

/** Shows a new secret once, with the commands that use it. Only the button "Done" closes it. */
export function NewSecret(): ReactNode {
  const shown = useShownSecret();
  const opener = useRef<string>(undefined);
  if (shown) opener.current = shown.opener;
  const focusOpener = (): void => document.getElementById(opener.current ?? '')?.focus();
  return (
    <Modal
      opened={shown !== null}
      onClose={hideSecret}
      title={t('Your new key')}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      // The default would return the focus to the submitted form, which no longer exists.
      returnFocus={false}
      onExitTransitionEnd={focusOpener}
    >
      <Stack>
        <Alert color="orange" variant="outline" title={t('Copy it now')}>
          {t('The service keeps only a hash of it and cannot show it again.')}
        </Alert>
        {shown && <CodeBlock label={t('Key')} code={shown.secret} />}
        {shown?.owner !== undefined && <HandOver secret={shown.secret} owner={shown.owner} />}
        {shown && (
          <Suspense>
            <ClientTabs secret={shown.secret} />
          </Suspense>
        )}
        <Group justify="flex-end">
          <Button onClick={hideSecret}>{t('Done')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface HandOverProps {
  readonly secret: string;
  readonly owner: string;
}

/** The text to send to the member who owns the key. */
function HandOver({ secret, owner }: HandOverProps): ReactNode {
  const name = useNames().person(owner);
  const { origin } = window.location;
  return (
    <CodeBlock
      label={t('Message to {name}: send it in private', { name })}
      name={t('Message to {name}', { name })}
      code={t('Your key for {address}:\n{secret}\nHow to use it in a client: {page}', {
        address: `${origin}/api/v1`,
        secret,
        page: `${origin}/console/connect`,
      })}
    />
  );
}
