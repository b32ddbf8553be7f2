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
import { t } from '../../text/translate';

const NEW_ALIAS: AliasValues = { name: '', models: [] };
const MAX_MODELS = 10;
const MAX_SUGGESTIONS = 50;

const COLUMNS: readonly Column<ModelAlias>[] = [
  { header: t('Alias'), cell: ({ name }) => <code>{name}</code> },
  { header: t('Model'), cell: ({ models }) => models[0] },
  { header: t('Fallbacks, in their order'), cell: ({ models }) => models.slice(1).join(', ') || t('None') },
  { header: t('Set'), cell: ({ updated_at }) => <Ago iso={updated_at} /> },
  {
    header: t('Actions'),
    cell: (alias) => (
      <Group gap="xs" wrap="nowrap">
        <AliasForm alias={alias} />
        <ConfirmButton
          label={t('Delete')}
          isRemoval
          subject={alias.name}
          question={t('Calls with this name get an error from now on.')}
          onConfirm={() => deleteModelAlias(alias.name)}
        />
      </Group>
    ),
  },
];

/** The aliases that the operator has defined. */
export function Aliases(): ReactNode {
  const aliases = useModelAliases();
  return (
    <Stack component="section" aria-label={t('Aliases')} gap="sm">
      <SectionHeader
        title={t('Aliases')}
        about={t(
          'A name of your own for a model of the catalogue, and for others that serve when the first one fails.',
        )}
      >
        <AliasForm />
      </SectionHeader>
      <Loaded query={aliases}>
        {(rows) => (
          <DataTable
            label={t('Aliases')}
            columns={COLUMNS}
            rows={rows}
            rowKey={({ name }) => name}
            empty={t('No aliases yet. With an alias such as fast, callers keep one name while you change the model.')}
          />
        )}
      </Loaded>
    </Stack>
  );
}

/** Creates an alias, or changes the models of one. */
function AliasForm({ alias }: { readonly alias?: ModelAlias }): ReactNode {
  const texts = alias
    ? { label: t('Edit'), title: t('Edit {name}', { name: alias.name }), variant: 'default' }
    : { label: t('Add an alias'), title: t('Add an alias') };
  return (
    <FormModal
      {...texts}
      aria-label={texts.title}
      action={t('Save')}
      size="compact-sm"
      initial={alias ?? NEW_ALIAS}
      onSubmit={({ name, models }: AliasValues) => setModelAlias(name.trim(), models)}
    >
      {({ name, models }, change) => (
        <>
          {!alias && (
            <TextInput
              label={t('Alias')}
              description={t('Such as fast, or a name that your clients use already')}
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
        <ol className="ordered-models" aria-label={t('Models in their order')}>
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
                      aria-label={t('Up: {id}', { id })}
                      onClick={() => onChange(movedUp(models, index))}
                    >
                      {t('Up')}
                    </Button>
                  )}
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={t('Remove {id}', { id })}
                    onClick={() => onChange(models.filter((other) => other !== id))}
                  >
                    {t('Remove')}
                  </Button>
                </Group>
              </Group>
            </li>
          ))}
        </ol>
      )}
      {models.length < MAX_MODELS && (
        <Select
          label={models.length === 0 ? t('Model') : t('Add a fallback')}
          required={models.length === 0}
          searchable
          limit={MAX_SUGGESTIONS}
          nothingFoundMessage={t('No model has this name')}
          data={others}
          value={null}
          onChange={(id) => id !== null && onChange([...models, id])}
        />
      )}
    </Stack>
  );
}
