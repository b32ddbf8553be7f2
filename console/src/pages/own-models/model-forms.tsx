import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { ownModelsChanged, presentOwnModel, setOwnModel, useOwnModelVersions } from '../../api/own-providers';
import type { OwnModel, OwnProvider } from '../../api/records';
import { DataTable, type Column } from '../../table/data-table';
import { Dialog } from '../../components/dialog';
import { FormModal } from '../../components/form-modal';
import { Loaded } from '../../components/loaded';
import { count } from '../../format/amounts';
import { moment } from '../../format/times';
import { ModelFields } from './model-fields';
import { CAPABILITY_NAMES, idOf, NEW_MODEL, priceText, requestOf, valuesOf, type ModelValues } from './model-values';
import { t } from '../../text/translate';

/** Formats of servers that also have the other paths of the OpenAI API. */
const WITH_OTHERS: readonly OwnProvider['format'][] = ['chat', 'responses'];
export const hasOtherCapabilities = ({ format }: OwnProvider): boolean => WITH_OTHERS.includes(format);

const PRICE_NOTE = t('Without a price the model is not served. A free model has the price 0.');

export function AddModel({ provider }: { readonly provider: OwnProvider }): ReactNode {
  const { slug } = provider;
  const add = async (values: ModelValues): Promise<void> => {
    await setOwnModel(slug, values.id.trim(), requestOf(values));
    await ownModelsChanged();
  };
  return (
    <FormModal
      label={t('Add a model')}
      aria-label={t('Add a model of {slug}', { slug })}
      title={t('Add a model of {slug}', { slug })}
      action={t('Save')}
      size="compact-sm"
      variant="default"
      initial={NEW_MODEL}
      onSubmit={add}
    >
      {(values, change) => (
        <>
          <ModelFields slug={slug} hasOthers={hasOtherCapabilities(provider)} values={values} onChange={change} isNew />
          <Text size="sm">{PRICE_NOTE}</Text>
        </>
      )}
    </FormModal>
  );
}

interface EditModelProps {
  readonly provider: OwnProvider;
  readonly model: OwnModel;
}

export function EditModel({ provider, model }: EditModelProps): ReactNode {
  // PUT replaces the model. Read the model again and keep its other values, because other users may have changed them.
  const save = async (_values: ModelValues, changes: Partial<ModelValues>): Promise<void> => {
    const present = await presentOwnModel(provider.slug, idOf(model));
    await setOwnModel(provider.slug, idOf(model), requestOf({ ...valuesOf(present), ...changes }));
    await ownModelsChanged();
  };
  return (
    <FormModal
      label={t('Edit')}
      aria-label={t('Edit {id}', { id: model.id })}
      title={t('Edit {id}', { id: model.id })}
      action={t('Save')}
      size="compact-sm"
      variant="default"
      initial={valuesOf(model)}
      onSubmit={save}
    >
      {(values, change) => (
        <>
          <ModelFields
            slug={provider.slug}
            hasOthers={hasOtherCapabilities(provider)}
            values={values}
            onChange={change}
            isNew={false}
          />
          <Text size="sm">
            {t(
              'A change is version {version}, from now on. Calls in progress cost what they began with. ' +
                '{priceNote}',
              { version: model.version + 1, priceNote: PRICE_NOTE },
            )}
          </Text>
        </>
      )}
    </FormModal>
  );
}

const VERSIONS: readonly Column<OwnModel>[] = [
  { header: t('Version'), cell: ({ version }) => version, isNumeric: true },
  { header: t('From'), cell: ({ updated_at }) => moment(updated_at) },
  { header: t('Price'), cell: priceText },
  { header: t('Name at the provider'), cell: ({ upstream }) => <code>{upstream}</code> },
  { header: t('Capability'), cell: ({ capability }) => CAPABILITY_NAMES[capability] },
  { header: t('Context'), cell: ({ context_length }) => count(context_length), isNumeric: true },
];

/** A button that shows all versions of a model. */
export function ModelVersions({ provider, model }: EditModelProps): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  const title = t('Versions of {id}', { id: model.id });
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={title} onClick={open}>
        {t('Versions')}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={title} size="60rem">
        <Versions slug={provider.slug} id={idOf(model)} title={title} />
      </Dialog>
    </>
  );
}

function Versions({
  slug,
  id,
  title,
}: {
  readonly slug: string;
  readonly id: string;
  readonly title: string;
}): ReactNode {
  const versions = useOwnModelVersions(slug, id);
  return (
    <Loaded query={versions}>
      {(rows) => (
        <DataTable
          label={title}
          columns={VERSIONS}
          rows={rows}
          rowKey={({ version }) => String(version)}
          empty={t('No models yet.')}
        />
      )}
    </Loaded>
  );
}
