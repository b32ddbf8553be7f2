import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { channelsChanged, ofChannel } from '../../api/channels';
import { api } from '../../api/client';
import { deleteOwnModel, deleteOwnProvider, useOwnModels } from '../../api/own-providers';
import type { ChannelRecord, OwnModel, OwnProvider } from '../../api/records';
import { ConfirmButton } from '../../components/confirm-button';
import { DataTable, type Column } from '../../table/data-table';
import { Loaded } from '../../components/loaded';
import { SectionHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { count } from '../../format/amounts';
import { modelPath } from '../../api/models';
import { FindModels } from './find-models';
import { AddModel, EditModel, ModelVersions } from './model-forms';
import { CAPABILITY_NAMES, idOf, priceText } from './model-values';
import { AddKey, EditProvider } from './provider-forms';
import { rich } from '../../text/rich';
import { plural, t } from '../../text/translate';

interface ProviderSectionProps {
  readonly provider: OwnProvider;
  /** The credentials of the provider. */
  readonly channels: readonly ChannelRecord[];
  readonly isFinding: boolean;
  readonly onFind: (isFinding: boolean) => void;
}

/** A provider, the steps that are missing before calls can use it, and its models. */
export function ProviderSection({ provider, channels, isFinding, onFind }: ProviderSectionProps): ReactNode {
  const { slug, needs_credential: needsKey } = provider;
  const models = useOwnModels(slug);
  const name = provider.name ?? slug;
  const channel = channels.find(({ disabled }) => !disabled);
  const canAsk = !needsKey || channel !== undefined;
  const remove = async (): Promise<void> => {
    for (const { id } of channels) await api.DELETE('/api/v1/providers/credentials/{id}', ofChannel(id));
    await deleteOwnProvider(slug);
    await channelsChanged();
  };
  return (
    <Stack component="section" aria-label={name} gap="sm">
      <SectionHeader title={name} about={`${slug} · ${provider.format} · ${provider.base_url}`}>
        {canAsk && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('Find models of {slug}', { slug })}
            onClick={() => onFind(true)}
          >
            {t('Find models')}
          </Button>
        )}
        <AddModel provider={provider} />
        <EditProvider provider={provider} channels={channels} />
        <ConfirmButton
          label={t('Delete')}
          isRemoval
          subject={slug}
          question={t('Its models and its keys ({channels}) are deleted too. Calls in progress go on.', {
            channels: channels.length,
          })}
          onConfirm={remove}
        />
      </SectionHeader>
      <KeyState needsKey={needsKey} channels={channels} />
      <Loaded query={models}>
        {(rows) => (
          <>
            {!canAsk && (
              <NextStep text={keyStepOf(channels)}>
                {channels.length === 0 && <AddKey provider={slug} onAdded={() => onFind(true)} />}
              </NextStep>
            )}
            {canAsk && rows.length === 0 && (
              <NextStep text={t('Next: choose which of its models are served, and what they cost.')}>
                <Button size="compact-sm" onClick={() => onFind(true)}>
                  {t('Choose models')}
                </Button>
              </NextStep>
            )}
            {rows.length > 0 && <Models provider={provider} rows={rows} name={name} />}
            {isFinding && canAsk && (
              <FindModels
                provider={provider}
                channel={needsKey ? channel?.id : undefined}
                models={rows}
                onClose={() => onFind(false)}
              />
            )}
          </>
        )}
      </Loaded>
    </Stack>
  );
}

const keyStepOf = (channels: readonly ChannelRecord[]): string =>
  channels.length === 0
    ? t('Next: add its key. Without one, its models are not called.')
    : t('All of its keys are disabled, so its models are not called: enable one under Channels.');

function NextStep({ text, children }: { readonly text: string; readonly children: ReactNode }): ReactNode {
  return (
    <Alert variant="outline" color="blue">
      <Group gap="sm">
        <Text size="sm">{text}</Text>
        {children}
      </Group>
    </Alert>
  );
}

function KeyState({
  needsKey,
  channels,
}: {
  readonly needsKey: boolean;
  readonly channels: readonly unknown[];
}): ReactNode {
  if (!needsKey) return <Text size="sm">{t('It is called without a key.')}</Text>;
  if (channels.length === 0) return null;
  return (
    <Text size="sm">
      {rich('{channels}. {link} shows their state and can test them.', {
        channels: plural(channels.length, '{count} key', '{count} keys'),
        link: <PageLink to="/channels">{t('Channels')}</PageLink>,
      })}
    </Text>
  );
}

interface ModelsProps {
  readonly provider: OwnProvider;
  readonly rows: readonly OwnModel[];
  readonly name: string;
}

function Models({ provider, rows, name }: ModelsProps): ReactNode {
  const unpriced = rows.filter(({ pricing }) => pricing === null).length;
  const columns: readonly Column<OwnModel>[] = [
    {
      header: t('Model'),
      cell: ({ id, pricing }) =>
        pricing === null ? (
          id
        ) : (
          <PageLink to="/models/$author/$slug" params={modelPath(id)}>
            {id}
          </PageLink>
        ),
    },
    {
      header: t('State'),
      cell: ({ pricing }) => (
        <Badge color={pricing ? 'green' : 'orange'} variant="outline">
          {pricing ? t('Offered') : t('No price: not served')}
        </Badge>
      ),
    },
    { header: t('Price'), cell: priceText },
    { header: t('Capability'), cell: ({ capability }) => CAPABILITY_NAMES[capability] },
    { header: t('Name at the provider'), cell: ({ upstream }) => <code>{upstream}</code> },
    { header: t('Context'), cell: ({ context_length }) => count(context_length), isNumeric: true },
    { header: t('Version'), cell: ({ version }) => version, isNumeric: true },
    {
      header: t('Actions'),
      cell: (model) => (
        <Group gap="xs" wrap="nowrap">
          <EditModel provider={provider} model={model} />
          <ModelVersions provider={provider} model={model} />
          <ConfirmButton
            label={t('Delete')}
            isRemoval
            subject={model.id}
            question={t('Calls no longer find it. Its versions are kept.')}
            onConfirm={() => deleteOwnModel(provider.slug, idOf(model))}
          />
        </Group>
      ),
    },
  ];
  return (
    <>
      {unpriced > 0 && (
        <Text size="sm">
          {t('{unpriced} without a price: not served. Set one with Edit. A free model has the price 0.', {
            unpriced: plural(unpriced, '{count} model', '{count} models'),
          })}
        </Text>
      )}
      <DataTable
        label={t('Models of {name}', { name })}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        empty=""
      />
    </>
  );
}
