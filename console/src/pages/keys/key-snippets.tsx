import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../components/code-block';

const PLACEHOLDER = 'YOUR_KEY';
const MODEL = 'builtin/eliza';

interface Snippet {
  readonly client: string;
  readonly code: (origin: string, key: string) => string;
}

/** How each client is pointed at this service. */
const SNIPPETS: readonly Snippet[] = [
  {
    client: 'Claude Code',
    code: (origin, key) => `export ANTHROPIC_BASE_URL=${origin}/api\nexport ANTHROPIC_AUTH_TOKEN=${key}\nclaude`,
  },
  {
    client: 'Codex',
    code: (origin, key) =>
      [
        `# ~/.codex/config.toml`,
        `model = "openai/gpt-5-codex"`,
        `model_provider = "gatehouse"`,
        `web_search = "disabled"`,
        ``,
        `[model_providers.gatehouse]`,
        `name = "Gatehouse"`,
        `base_url = "${origin}/api/v1"`,
        `env_key = "GATEHOUSE_API_KEY"`,
        `wire_api = "responses"`,
        ``,
        `# in the shell`,
        `export GATEHOUSE_API_KEY=${key}`,
      ].join('\n'),
  },
  {
    client: 'openai',
    code: (origin, key) =>
      [
        `import OpenAI from 'openai';`,
        ``,
        `const client = new OpenAI({ baseURL: '${origin}/api/v1', apiKey: '${key}' });`,
        `const { choices } = await client.chat.completions.create({`,
        `  model: '${MODEL}',`,
        `  messages: [{ role: 'user', content: 'Hello' }],`,
        `});`,
        `console.log(choices[0]?.message.content);`,
      ].join('\n'),
  },
  {
    client: '@openrouter/sdk',
    code: (origin, key) =>
      [
        `import { OpenRouter } from '@openrouter/sdk';`,
        ``,
        `const client = new OpenRouter({ serverURL: '${origin}/api/v1', apiKey: '${key}' });`,
        `const { choices } = await client.chat.send({`,
        `  chatRequest: { model: '${MODEL}', messages: [{ role: 'user', content: 'Hello' }] },`,
        `});`,
        `console.log(choices[0]?.message.content);`,
      ].join('\n'),
  },
  {
    client: 'curl',
    code: (origin, key) =>
      [
        `curl -s ${origin}/api/v1/chat/completions \\`,
        `  -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\`,
        `  -d '{"model":"${MODEL}","messages":[{"role":"user","content":"Hello"}]}'`,
      ].join('\n'),
  },
];

/** A value of a tab is a part of ids, which have no spaces. */
const tabOf = (client: string): string => client.replaceAll(/\W+/g, '-');

/** Without a secret, a placeholder stands for it, since the service cannot show it again. */
export function KeySnippets({ secret }: { readonly secret?: string }): ReactNode {
  return (
    <Tabs defaultValue={tabOf(SNIPPETS[0]!.client)} keepMounted={false}>
      <Tabs.List aria-label="Use it in">
        {SNIPPETS.map(({ client }) => (
          <Tabs.Tab key={client} value={tabOf(client)}>
            {client}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {SNIPPETS.map(({ client, code }) => (
        <Tabs.Panel key={client} value={tabOf(client)} pt="sm">
          <CodeBlock label={`Use it in ${client}`} code={code(window.location.origin, secret ?? PLACEHOLDER)} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
