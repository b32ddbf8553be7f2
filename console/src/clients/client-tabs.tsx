import { Stack, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../components/code-block';
import { CLIENTS, KEY_PLACEHOLDER } from './client-lines';
import { useTargetModel } from './use-target-model';
import { t } from '../text/translate';

/** The value of a tab. Element ids contain it, so it must not contain spaces. */
const tabOf = (client: string): string => client.replaceAll(/\W+/g, '-');

interface ClientTabsProps {
  /** Absent: a placeholder is shown, because the service cannot show the secret again. */
  readonly secret?: string;
  /** Absent: a model that can be called now. */
  readonly model?: string;
}

/** The lines that configure each client for this service. */
export function ClientTabs({ secret = KEY_PLACEHOLDER, model }: ClientTabsProps): ReactNode {
  const anyModel = useTargetModel();
  const target = { origin: window.location.origin, key: secret, model: model ?? anyModel };
  return (
    <Tabs defaultValue={tabOf(CLIENTS[0]!.name)} keepMounted={false}>
      <Tabs.List className="client-tabs" aria-label={t('Use it in')}>
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
