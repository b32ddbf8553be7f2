import { Tabs, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { codeFiles, requestLines } from '../../clients/request-lines';
import { CodeBlock } from '../../components/code-block';
import { filesOf, requestOf, type PlaygroundCall } from './exchange';
import { t } from '../../text/translate';

/** The call as a program would send it, with the whole conversation. Files are read by their names. */
export function CallCode({ call }: { readonly call: PlaygroundCall }): ReactNode {
  const files = call.mode === 'chat' ? codeFiles(filesOf(call)) : [];
  const urlOf = (given: object): string => files.find(({ file }) => file === given)!.url;
  const lines = requestLines({ origin: window.location.origin, ...requestOf(call, urlOf), files });
  return (
    <Tabs defaultValue="0" keepMounted={false}>
      <Tabs.List aria-label={t('Code of the call')}>
        {lines.map(({ label }, at) => (
          <Tabs.Tab key={label} value={String(at)}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {files.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs" className="wrap">
          {t('It reads {files} in the folder where it runs.', {
            files: [...new Set(files.map(({ name }) => name))].join(', '),
          })}
        </Text>
      )}
      {lines.map(({ label, code }, at) => (
        <Tabs.Panel key={label} value={String(at)} pt="xs">
          <CodeBlock label={t('Call by {label}', { label })} code={code} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
