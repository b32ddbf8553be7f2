import { Button, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { ownModelsChanged, presentOwnModel, setOwnModel, useOwnModelVersions } from '../../api/own-providers';
import type { OwnModel, OwnProvider } from '../../api/records';
import { DataTable, type Column } from '../../table/data-table';
import { FormModal } from '../../components/form-modal';
import { Loaded } from '../../components/loaded';
import { count } from '../../format/amounts';
import { moment } from '../../format/times';
import { ModelFields } from './model-fields';
import { CAPABILITY_NAMES, idOf, NEW_MODEL, priceText, requestOf, valuesOf, type ModelValues } from './model-values';

/** Formats whose servers have the paths of the OpenAI API. */
const WITH_OTHERS: readonly OwnProvider['format'][] = ['chat', 'responses'];
export const hasOtherCapabilities = ({ format }: OwnProvider): boolean => WITH_OTHERS.includes(format);

const PRICE_NOTE = 'Without a price the model is not served. A free model has the price 0.';

export function AddModel({ provider }: { readonly provider: OwnProvider }): ReactNode {
  const { slug } = provider;
  const add = async (values: ModelValues): Promise<void> => {
    await setOwnModel(slug, values.id.trim(), requestOf(values));
    await ownModelsChanged();
  };
  return (
    <FormModal
      label="Add a model"
      aria-label={`Add a model of ${slug}`}
      title={`Add a model of ${slug}`}
      action="Save"
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
  // PUT replaces the model: what was not changed is read again, because others may have changed it.
  const save = async (_values: ModelValues, changes: Partial<ModelValues>): Promise<void> => {
    const present = await presentOwnModel(provider.slug, idOf(model));
    await setOwnModel(provider.slug, idOf(model), requestOf({ ...valuesOf(present), ...changes }));
    await ownModelsChanged();
  };
  return (
    <FormModal
      label="Edit"
      aria-label={`Edit ${model.id}`}
      title={`Edit ${model.id}`}
      action="Save"
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
            A change is version {model.version + 1}, from now on. Calls in progress cost what they began with.{' '}
            {PRICE_NOTE}
          </Text>
        </>
      )}
    </FormModal>
  );
}

const VERSIONS: readonly Column<OwnModel>[] = [
  { header: 'Version', cell: ({ version }) => version, isNumeric: true },
  { header: 'From', cell: ({ updated_at }) => moment(updated_at) },
  { header: 'Price', cell: priceText },
  { header: 'Name at the provider', cell: ({ upstream }) => <code>{upstream}</code> },
  { header: 'Capability', cell: ({ capability }) => CAPABILITY_NAMES[capability] },
  { header: 'Context', cell: ({ context_length }) => count(context_length), isNumeric: true },
];

/** A button that shows what a model was at any time. */
export function ModelVersions({ provider, model }: EditModelProps): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  const title = `Versions of ${model.id}`;
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={title} onClick={open}>
        Versions
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} size="60rem" closeButtonProps={{ 'aria-label': 'Close' }}>
        <Versions slug={provider.slug} id={idOf(model)} title={title} />
      </Modal>
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
          empty="There is none."
        />
      )}
    </Loaded>
  );
}
