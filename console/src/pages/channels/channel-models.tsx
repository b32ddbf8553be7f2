import { Badge, Button, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useChannelModels } from '../../api/channels';
import { modelPath } from '../../api/models';
import type { ChannelModels as Found } from '../../api/records';
import { DataTable, type Column } from '../../table/data-table';
import { Loaded } from '../../components/loaded';
import { PageLink } from '../../components/page-link';
import { ABSENT, count, plural } from '../../format/amounts';

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
      <Button size="compact-sm" variant="default" aria-label={`Models of ${subject}`} onClick={open}>
        Models
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={`Models of ${subject}`}
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <FoundModels id={id} />
      </Modal>
    </>
  );
}

function stateOf({ known, priced }: FoundModel): readonly [label: string, color: string] {
  if (priced) return ['Served', 'green'];
  return known ? ['No price: not served', 'orange'] : ['Not in the catalogue', 'gray'];
}

const COLUMNS: readonly Column<FoundModel>[] = [
  { header: "The vendor's name", cell: ({ upstream }) => <code>{upstream}</code> },
  {
    header: 'Model',
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
    header: 'State',
    cell: (model) => {
      const [label, color] = stateOf(model);
      return (
        <Badge color={color} variant={color === 'gray' ? 'default' : 'outline'} tt="none">
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
            The vendor lists {plural(models.length, 'model')}: {count(models.length - missing.length)} served,{' '}
            {count(missing.length)} not served, since the catalogue has no price at this provider.
          </Text>
          <DataTable
            label="Models of the vendor"
            columns={COLUMNS}
            rows={models}
            rowKey={({ upstream }) => upstream}
            empty="The vendor lists no model for this credential."
          />
        </Stack>
      )}
    </Loaded>
  );
}
