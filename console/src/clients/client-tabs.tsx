import { Stack, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../components/code-block';
import { CLIENTS, KEY_PLACEHOLDER } from './client-lines';
import { useTargetModel } from './use-target-model';

/** A value of a tab is a part of ids, which have no spaces. */
const tabOf = (client: string): string => client.replaceAll(/\W+/g, '-');

interface ClientTabsProps {
  /** Absent: a placeholder stands for it, since the service cannot show it again. */
  readonly secret?: string;
  /** Absent: one that can be called now. */
  readonly model?: string;
}

/** The lines that point each client at this service. */
export function ClientTabs({ secret = KEY_PLACEHOLDER, model }: ClientTabsProps): ReactNode {
  const anyModel = useTargetModel();
  const target = { origin: window.location.origin, key: secret, model: model ?? anyModel };
  return (
    <Tabs defaultValue={tabOf(CLIENTS[0]!.name)} keepMounted={false}>
      <Tabs.List aria-label="Use it in">
        {CLIENTS.map(({ name }) => (
          <Tabs.Tab key={name} value={tabOf(name)}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {CLIENTS.map(({ name, lines }) => (
        <Tabs.Panel key={name} value={tabOf(name)} pt="sm">
          <Stack gap="sm">
            {lines(target).map(({ label, code }) => (
              <CodeBlock key={label} label={label} code={code} name={`${name}: ${label}`} />
            ))}
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
