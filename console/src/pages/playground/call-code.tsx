import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { requestLines } from '../../clients/request-lines';
import { CodeBlock } from '../../components/code-block';
import { requestOf, type PlaygroundCall } from './exchange';

/** The call as a program would make it, with the whole conversation. */
export function CallCode({ call }: { readonly call: PlaygroundCall }): ReactNode {
  const lines = requestLines({ origin: window.location.origin, ...requestOf(call) });
  return (
    <Tabs defaultValue="0" keepMounted={false}>
      <Tabs.List aria-label="Code of the call">
        {lines.map(({ label }, at) => (
          <Tabs.Tab key={label} value={String(at)}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {lines.map(({ label, code }, at) => (
        <Tabs.Panel key={label} value={String(at)} pt="xs">
          <CodeBlock label={`Call by ${label}`} code={code} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
