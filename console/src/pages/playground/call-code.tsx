import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../components/code-block';
import { messagesOf, requestOf, type PlaygroundCall } from './exchange';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function curl(call: PlaygroundCall): string {
  const { path, json } = requestOf(call);
  return [
    `curl -sN ${window.location.origin}/api/v1${path} \\`,
    `  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(JSON.stringify(json))}${call.mode === 'speech' ? ' -o speech.mp3' : ''}`,
  ].join('\n');
}

function openai(call: PlaygroundCall): string {
  const { mode, model, prompt, voice } = call;
  const client = [
    `import OpenAI from 'openai';`,
    ``,
    `const client = new OpenAI({ baseURL: '${window.location.origin}/api/v1', apiKey: process.env.KEY });`,
  ];
  if (mode === 'image')
    return [
      ...client,
      `const images = await client.images.generate(${JSON.stringify({ model, prompt }, null, 2)});`,
    ].join('\n');
  if (mode === 'speech') {
    const request = { model, voice, input: prompt, response_format: 'mp3' };
    return [...client, `const speech = await client.audio.speech.create(${JSON.stringify(request, null, 2)});`].join(
      '\n',
    );
  }
  const request = { model, messages: messagesOf(call), stream: true };
  return [
    ...client,
    `const stream = await client.chat.completions.create(${JSON.stringify(request, null, 2)});`,
    `for await (const { choices } of stream) process.stdout.write(choices[0]?.delta.content ?? '');`,
  ].join('\n');
}

/** The call as a program would make it. */
export function CallCode({ call }: { readonly call: PlaygroundCall }): ReactNode {
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List aria-label="Code of the call">
        <Tabs.Tab value="curl">curl</Tabs.Tab>
        <Tabs.Tab value="openai">openai</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="curl" pt="xs">
        <CodeBlock label="Call by curl" code={curl(call)} />
      </Tabs.Panel>
      <Tabs.Panel value="openai" pt="xs">
        <CodeBlock label="Call by openai" code={openai(call)} />
      </Tabs.Panel>
    </Tabs>
  );
}
