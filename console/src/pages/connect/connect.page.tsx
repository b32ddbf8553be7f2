import { Alert, Group, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useMay } from '../../api/session';
import { ClientTabs } from '../../clients/client-tabs';
import { KEY_PLACEHOLDER } from '../../clients/client-lines';
import { useTextModels } from '../../clients/use-target-model';
import { PageHeader } from '../../components/page-header';
import { Placeholder } from '../../components/placeholder';
import { PageLink } from '../../components/page-link';
import { CreateKey, type CreatedKey } from '../keys/create-key';
import type { ConnectSearch } from './connect-search';
import { FirstCall } from './first-call';
import { KeyChoice } from './key-choice';
import { rich } from '../../text/rich';
import { t } from '../../text/translate';

const MAX_CHOICES = 100;

/** The lines that configure a client for this installation, and the first call that the client makes. */
export function ConnectPage(): ReactNode {
  const { key: hash, model: chosenModel } = useSearch({ from: '/connect' });
  const navigate = useNavigate({ from: '/connect' });
  const canWrite = useMay('keys.write');
  const canReadCalls = useMay('usage.calls');
  const known = useTextModels();
  const models = known ?? [];
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const change = (part: ConnectSearch): void =>
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true });
  const model = chosenModel ?? models[0];
  // A secret is known from its creation until the reader leaves the page.
  const secret = created?.record.hash === hash ? created?.secret : undefined;
  const takeCreated = (made: CreatedKey): void => {
    setCreated(made);
    change({ key: made.record.hash });
  };
  return (
    <Stack>
      <PageHeader
        title={t('Connect a client')}
        about={t('Choose a key and a model, copy the lines, then watch the first call arrive.')}
      />
      <Step title={t('1. A key')}>
        <Group align="flex-end" gap="sm">
          <KeyChoice value={hash} onChange={(key) => change({ key })} />
          {canWrite && <CreateKey label={t('Create a key now')} onCreated={takeCreated} />}
        </Group>
        <SecretNote hash={hash} hasSecret={secret !== undefined} />
      </Step>
      <Step title={t('2. A model')}>
        <Select
          label={t('Model')}
          data={[...new Set([...(model ? [model] : []), ...models])]}
          limit={MAX_CHOICES}
          value={model ?? null}
          onChange={(id) => change({ model: id ?? undefined })}
          maw={420}
          searchable
          allowDeselect={false}
        />
        {models.length > 0 && models.every((id) => id.startsWith('builtin/')) && <NoVendor />}
      </Step>
      {known ? (
        <Step title={t('3. The lines for the client')}>
          <ClientTabs secret={secret} model={model} />
        </Step>
      ) : (
        <Placeholder h={300} />
      )}
      {known && canReadCalls && (
        <Step title={t('4. The first call')}>
          {hash === undefined ? (
            <Text size="sm" c="dimmed">
              {t('Choose or create a key first.')}
            </Text>
          ) : (
            <FirstCall key={hash} hash={hash} origin={window.location.origin} />
          )}
        </Step>
      )}
    </Stack>
  );
}

function Step({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <Paper withBorder p="sm" miw={0} component="section" aria-label={title}>
      <Title order={2} mb="sm">
        {title}
      </Title>
      <Stack gap="sm">{children}</Stack>
    </Paper>
  );
}

/** Explains the placeholder for the secret in the lines. */
function SecretNote({
  hash,
  hasSecret,
}: {
  readonly hash: string | undefined;
  readonly hasSecret: boolean;
}): ReactNode {
  const words = hasSecret
    ? t('The lines below contain the secret of the new key until you leave this page.')
    : hash === undefined
      ? t('The lines below say {placeholder}. Create a key to have its secret in them.', {
          placeholder: KEY_PLACEHOLDER,
        })
      : t('The service keeps no secrets: replace {placeholder} by the secret of this key, or create a new key.', {
          placeholder: KEY_PLACEHOLDER,
        });
  return (
    <Text size="sm" c="dimmed">
      {words}
    </Text>
  );
}

function NoVendor(): ReactNode {
  const canAdd = useMay('byok.write');
  if (!canAdd)
    return (
      <Alert variant="outline" title={t('Only built-in models can be called')}>
        {t(
          'They cost nothing and show that the connection works. An owner or an admin can add a credential ' +
            'for models of vendors.',
        )}
      </Alert>
    );
  return (
    <Alert variant="outline" title={t('Only built-in models can be called')}>
      {rich('They cost nothing and show that the connection works. For models of vendors, add a {link}.', {
        link: (
          <PageLink to="/provider-credentials" underline="always">
            {t('provider credential')}
          </PageLink>
        ),
      })}
    </Alert>
  );
}
