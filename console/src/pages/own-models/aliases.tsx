import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { modelsBy } from '../../api/models';
import { deleteModelAlias, setModelAlias, useModelAliases } from '../../api/own-providers';
import type { ModelAlias } from '../../api/records';
import { Ago } from '../../components/ago';
import { ConfirmButton } from '../../components/confirm-button';
import { DataTable, type Column } from '../../table/data-table';
import { FormModal } from '../../components/form-modal';
import { Loaded } from '../../components/loaded';
import { SectionHeader } from '../../components/page-header';
import { movedUp, type AliasValues } from './alias-values';

const NEW_ALIAS: AliasValues = { name: '', models: [] };
const MAX_MODELS = 10;
const MAX_SUGGESTIONS = 50;

const COLUMNS: readonly Column<ModelAlias>[] = [
  { header: 'Alias', cell: ({ name }) => <code>{name}</code> },
  { header: 'Model', cell: ({ models }) => models[0] },
  { header: 'Fallbacks, in their order', cell: ({ models }) => models.slice(1).join(', ') || 'None' },
  { header: 'Set', cell: ({ updated_at }) => <Ago iso={updated_at} /> },
  {
    header: 'Actions',
    cell: (alias) => (
      <Group gap="xs" wrap="nowrap">
        <AliasForm alias={alias} />
        <ConfirmButton
          label="Delete"
          subject={alias.name}
          question="Calls with this name get an error from now on."
          onConfirm={() => deleteModelAlias(alias.name)}
        />
      </Group>
    ),
  },
];

/** Names that the operator gave to models. */
export function Aliases(): ReactNode {
  const aliases = useModelAliases();
  return (
    <Stack component="section" aria-label="Aliases" gap="sm">
      <SectionHeader
        title="Aliases"
        about="A name of your own for a model of the catalogue, and for others that serve when the first one fails."
      >
        <AliasForm />
      </SectionHeader>
      <Loaded query={aliases}>
        {(rows) => (
          <DataTable
            label="Aliases"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ name }) => name}
            empty="There is none. With an alias such as fast, callers keep one name while you change the model."
          />
        )}
      </Loaded>
    </Stack>
  );
}

/** Creates an alias, or changes the models of one. */
function AliasForm({ alias }: { readonly alias?: ModelAlias }): ReactNode {
  const texts = alias
    ? { label: 'Edit', title: `Edit ${alias.name}`, variant: 'default' }
    : { label: 'Add an alias', title: 'Add an alias' };
  return (
    <FormModal
      {...texts}
      aria-label={texts.title}
      action="Save"
      size="compact-sm"
      initial={alias ?? NEW_ALIAS}
      onSubmit={({ name, models }: AliasValues) => setModelAlias(name.trim(), models)}
    >
      {({ name, models }, change) => (
        <>
          {!alias && (
            <TextInput
              label="Alias"
              description="Such as fast, or a name that your clients use already"
              required
              autoComplete="off"
              value={name}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
          )}
          <OrderedModels models={models} onChange={(ordered) => change({ models: ordered })} />
        </>
      )}
    </FormModal>
  );
}

interface OrderedModelsProps {
  readonly models: readonly string[];
  readonly onChange: (models: readonly string[]) => void;
}

function OrderedModels({ models, onChange }: OrderedModelsProps): ReactNode {
  const offered = useQuery(modelsBy({}));
  const others = (offered.data ?? []).map(({ id }) => id).filter((id) => !models.includes(id));
  return (
    <Stack gap="xs">
      {models.length > 0 && (
        <ol className="ordered-models" aria-label="Models in their order">
          {models.map((id, index) => (
            <li key={id}>
              <Group gap="xs" justify="space-between">
                <Text size="sm" className="wrap" miw={0} flex={1}>
                  {id}
                </Text>
                <Group gap="xs" wrap="nowrap">
                  {index > 0 && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Up: ${id}`}
                      onClick={() => onChange(movedUp(models, index))}
                    >
                      Up
                    </Button>
                  )}
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`Remove ${id}`}
                    onClick={() => onChange(models.filter((other) => other !== id))}
                  >
                    Remove
                  </Button>
                </Group>
              </Group>
            </li>
          ))}
        </ol>
      )}
      {models.length < MAX_MODELS && (
        <Select
          label={models.length === 0 ? 'Model' : 'Add a fallback'}
          required={models.length === 0}
          searchable
          limit={MAX_SUGGESTIONS}
          nothingFoundMessage="No model has this name"
          data={others}
          value={null}
          onChange={(id) => id !== null && onChange([...models, id])}
        />
      )}
    </Stack>
  );
}
