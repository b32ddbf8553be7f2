import { Badge, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useChannelModels } from '../../api/channels';
import { modelPath } from '../../api/models';
import type { ChannelModels as Found } from '../../api/records';
import { DataTable, type Column } from '../../table/data-table';
import { Dialog } from '../../components/dialog';
import { Loaded } from '../../components/loaded';
import { PageLink } from '../../components/page-link';
import { ABSENT, count } from '../../format/amounts';
import { plural, t } from '../../text/translate';

type FoundModel = Found['models'][number];

interface ChannelModelsProps {
  readonly id: string;
  readonly subject: string;
}

/** A button that shows which models the vendor lists for a credential. */
export function ChannelModels({ id, subject }: ChannelModelsProps): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={t('Models of {subject}', { subject })} onClick={open}>
        {t('Models')}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={t('Models of {subject}', { subject })} size="lg">
        <FoundModels id={id} />
      </Dialog>
    </>
  );
}

function stateOf({ known, priced }: FoundModel): readonly [label: string, color: string] {
  if (priced) return [t('Served'), 'green'];
  return known ? [t('No price: not served'), 'orange'] : [t('Not in the catalogue'), 'gray'];
}

const COLUMNS: readonly Column<FoundModel>[] = [
  { header: t("The vendor's name"), cell: ({ upstream }) => <code>{upstream}</code> },
  {
    header: t('Model'),
    cell: ({ id }) =>
      id === null ? (
        ABSENT
      ) : (
        <PageLink to="/models/$author/$slug" params={modelPath(id)}>
          {id}
        </PageLink>
      ),
  },
  {
    header: t('State'),
    cell: (model) => {
      const [label, color] = stateOf(model);
      return (
        <Badge color={color} variant={color === 'gray' ? 'default' : 'outline'}>
          {label}
        </Badge>
      );
    },
  },
];

function FoundModels({ id }: { readonly id: string }): ReactNode {
  const found = useChannelModels(id);
  return (
    <Loaded query={found}>
      {({ models, missing }) => (
        <Stack>
          <Text size="sm">
            {t(
              'The vendor lists {models}: {served} served, {missing} not served, since the catalogue ' +
                'has no price at this provider.',
              {
                models: plural(models.length, '{count} model', '{count} models'),
                served: count(models.length - missing.length),
                missing: count(missing.length),
              },
            )}
          </Text>
          <DataTable
            label={t('Models of the vendor')}
            columns={COLUMNS}
            rows={models}
            rowKey={({ upstream }) => upstream}
            empty={t('The vendor lists no model for this credential.')}
          />
        </Stack>
      )}
    </Loaded>
  );
}
