import { Alert, Badge, Button, Checkbox, Group, Modal, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { ownModelsChanged, setOwnModel, useFoundModels } from '../../api/own-providers';
import type { FoundModels, OwnModel, OwnProvider } from '../../api/records';
import { FaultAlert } from '../../components/fault-alert';
import { Loaded } from '../../components/loaded';
import { count, plural } from '../../format/amounts';
import { ModelFields } from './model-fields';
import { hasOtherCapabilities } from './model-forms';
import { idFrom, NEW_MODEL, requestOf, valuesOf, type ModelValues } from './model-values';

interface FindModelsProps {
  readonly provider: OwnProvider;
  /** A credential that it is asked with; absent = it needs none. */
  readonly channel: string | undefined;
  readonly models: readonly OwnModel[];
  readonly onClose: () => void;
}

/** What the provider lists. The chosen models are saved with their prices. */
export function FindModels({ provider, channel, models, onClose }: FindModelsProps): ReactNode {
  const found = useFoundModels(provider.slug, channel);
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Models of ${provider.name ?? provider.slug}`}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Loaded query={found}>
        {({ models: listed }) => <Choice provider={provider} models={models} listed={listed} onClose={onClose} />}
      </Loaded>
      {found.isError && (
        <Text size="sm" mt="sm">
          A server without a list of models can be used too: close this, and add each model by its name.
        </Text>
      )}
    </Modal>
  );
}

type Found = FoundModels['models'][number];

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
    // Models of one server are often alike.
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
            ? 'The provider lists no model. Close this, and add each model by its name.'
            : `The provider lists ${plural(listed.length, 'model')}. Choose those to serve, and give their prices.`}
        </Text>
        {listed.length >= MIN_FILTERED && (
          <TextInput label="Filter" value={filter} onChange={(event) => setFilter(event.currentTarget.value)} />
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
            {plural(unpriced, 'chosen model')} without a price: kept, but not served. A free model has the price 0.
          </Alert>
        )}
        {saving.error && <FaultAlert error={saving.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Later
          </Button>
          <Button type="submit" disabled={entries.length === 0} loading={saving.isPending}>
            Save {entries.length > 0 ? count(entries.length) : ''}
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
        <Badge color="green" variant="outline" tt="none">
          Served as {id}
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
