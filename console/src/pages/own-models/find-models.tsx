import { Alert, Badge, Button, Checkbox, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { ownModelsChanged, setOwnModel, useFoundModels } from '../../api/own-providers';
import type { DiscoveredModels, OwnModel, OwnProvider } from '../../api/records';
import { Dialog } from '../../components/dialog';
import { FaultAlert } from '../../components/fault-alert';
import { Loaded } from '../../components/loaded';
import { count } from '../../format/amounts';
import { ModelFields } from './model-fields';
import { hasOtherCapabilities } from './model-forms';
import { idFrom, NEW_MODEL, requestOf, valuesOf, type ModelValues } from './model-values';
import { plural, t } from '../../text/translate';

interface FindModelsProps {
  readonly provider: OwnProvider;
  /** The credential with which to request the list; absent = the provider needs none. */
  readonly channel: string | undefined;
  readonly models: readonly OwnModel[];
  readonly onClose: () => void;
}

/** The models that the provider lists. The chosen ones are saved with their prices. */
export function FindModels({ provider, channel, models, onClose }: FindModelsProps): ReactNode {
  const found = useFoundModels(provider.slug, channel);
  return (
    <Dialog opened onClose={onClose} title={t('Models of {name}', { name: provider.name ?? provider.slug })} size="lg">
      <Loaded query={found}>
        {({ models: listed }) => <Choice provider={provider} models={models} listed={listed} onClose={onClose} />}
      </Loaded>
      {found.isError && (
        <Text size="sm" mt="sm">
          {t('A server without a list of models can be used too: close this, and add each model by its name.')}
        </Text>
      )}
    </Dialog>
  );
}

type Found = DiscoveredModels['models'][number];

interface ChoiceProps extends Omit<FindModelsProps, 'channel'> {
  readonly listed: readonly Found[];
}

const MIN_FILTERED = 12;

function Choice({ provider, models, listed, onClose }: ChoiceProps): ReactNode {
  const [chosen, setChosen] = useState<Readonly<Record<string, ModelValues>>>({});
  const [filter, setFilter] = useState('');
  const entries = Object.values(chosen);
  const saving = useMutation({
    mutationFn: async () => {
      for (const values of entries) await setOwnModel(provider.slug, values.id.trim(), requestOf(values));
    },
    onSuccess: onClose,
    onSettled: ownModelsChanged,
  });
  const set = (upstream: string, values: ModelValues | undefined): void =>
    setChosen((now) => {
      const others = Object.entries(now).filter(([name]) => name !== upstream);
      return Object.fromEntries(values ? [...others, [upstream, values]] : others);
    });
  const begin = (upstream: string): ModelValues => {
    const known = models.find((model) => model.upstream === upstream);
    // Start with the values of the previous model, because models of one server are often similar.
    const { capability, context_length } = entries.at(-1) ?? NEW_MODEL;
    return known ? valuesOf(known) : { ...NEW_MODEL, id: idFrom(upstream), upstream, capability, context_length };
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  const unpriced = entries.filter((values) => requestOf(values).pricing == null).length;
  const shown = listed.filter(({ upstream }) => upstream.toLowerCase().includes(filter.toLowerCase()));
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          {listed.length === 0
            ? t('The provider lists no model. Close this, and add each model by its name.')
            : t('The provider lists {listed}. Choose those to serve, and give their prices.', {
                listed: plural(listed.length, '{count} model', '{count} models'),
              })}
        </Text>
        {listed.length >= MIN_FILTERED && (
          <TextInput label={t('Filter')} value={filter} onChange={(event) => setFilter(event.currentTarget.value)} />
        )}
        {shown.map((one) => (
          <FoundModel
            key={one.upstream}
            found={one}
            provider={provider}
            values={chosen[one.upstream]}
            onToggle={(isChosen) => set(one.upstream, isChosen ? begin(one.upstream) : undefined)}
            onChange={(values) => set(one.upstream, values)}
          />
        ))}
        {unpriced > 0 && (
          <Alert variant="outline" color="orange">
            {t('{unpriced} without a price: kept, but not served. A free model has the price 0.', {
              unpriced: plural(unpriced, '{count} chosen model', '{count} chosen models'),
            })}
          </Alert>
        )}
        {saving.error && <FaultAlert error={saving.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Later')}
          </Button>
          <Button type="submit" disabled={entries.length === 0} loading={saving.isPending}>
            {t('Save {entries}', { entries: entries.length > 0 ? count(entries.length) : '' })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FoundModelProps {
  readonly found: Found;
  readonly provider: OwnProvider;
  /** Undefined = not chosen. */
  readonly values: ModelValues | undefined;
  readonly onToggle: (isChosen: boolean) => void;
  readonly onChange: (values: ModelValues) => void;
}

function FoundModel({ found, provider, values, onToggle, onChange }: FoundModelProps): ReactNode {
  const { upstream, id, priced } = found;
  if (priced)
    return (
      <Group gap="xs">
        <code className="wrap">{upstream}</code>
        <Badge color="green" variant="outline">
          {t('Served as')} {id}
        </Badge>
      </Group>
    );
  return (
    <Paper withBorder p="sm" role="group" aria-label={upstream}>
      <Stack gap="sm">
        <Checkbox
          label={upstream}
          checked={values !== undefined}
          onChange={({ currentTarget: { checked } }) => onToggle(checked)}
        />
        {values && (
          <ModelFields
            slug={provider.slug}
            hasOthers={hasOtherCapabilities(provider)}
            values={values}
            onChange={(part) => onChange({ ...values, ...part })}
            isNew={id === null}
            hidesUpstream
          />
        )}
      </Stack>
    </Paper>
  );
}
