import { t } from '../text/translate.js';

/** The values that the lines of a client contain. */
export interface Target {
  /** The origin of this installation, without a path. */
  readonly origin: string;
  readonly key: string;
  /** The id of a text model. */
  readonly model: string;
}

/** Lines to copy. */
export interface Lines {
  /** The file or program that the lines belong in. */
  readonly label: string;
  readonly code: string;
}

export interface Client {
  readonly name: string;
  readonly lines: (target: Target) => readonly Lines[];
}

/** A placeholder for a secret that the console does not have. */
export const KEY_PLACEHOLDER = 'YOUR_KEY';

const inShell = (code: string): Lines => ({ label: t('In the shell'), code });
const text = (...lines: readonly string[]): string => lines.join('\n');

/** The address at which a container reaches the machine that it runs on. */
const fromContainer = (origin: string): string =>
  origin.replace(/\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/, '//host.docker.internal');

const claudeCode: Client = {
  name: 'Claude Code',
  lines: ({ origin, key, model }) => [
    inShell(
      text(
        `export ANTHROPIC_BASE_URL=${origin}/api`,
        `export ANTHROPIC_AUTH_TOKEN=${key}`,
        `export ANTHROPIC_API_KEY=`,
        `claude --model ${model}`,
      ),
    ),
  ],
};

const codex: Client = {
  name: 'Codex',
  lines: ({ origin, key, model }) => [
    {
      label: '~/.codex/config.toml',
      code: text(
        `model = "${model}"`,
        `model_provider = "gatehouse"`,
        `web_search = "disabled"`,
        ``,
        `[model_providers.gatehouse]`,
        `name = "Gatehouse"`,
        `base_url = "${origin}/api/v1"`,
        `env_key = "GATEHOUSE_API_KEY"`,
        `wire_api = "responses"`,
      ),
    },
    inShell(text(`export GATEHOUSE_API_KEY=${key}`, `codex`)),
  ],
};

const opencode: Client = {
  name: 'opencode',
  lines: ({ origin, key, model }) => {
    const options = { baseURL: `${origin}/api/v1`, apiKey: '{env:GATEHOUSE_API_KEY}' };
    const gatehouse = {
      npm: '@ai-sdk/openai-compatible',
      name: 'Gatehouse',
      options,
      models: { [model]: {} },
    };
    const settings = { $schema: 'https://opencode.ai/config.json', provider: { gatehouse } };
    return [
      { label: t('opencode.json, in the folder of the project'), code: JSON.stringify(settings, null, 2) },
      inShell(text(`export GATEHOUSE_API_KEY=${key}`, `opencode --model gatehouse/${model}`)),
    ];
  },
};

const curl: Client = {
  name: 'curl',
  lines: ({ origin, key, model }) => [
    inShell(
      text(
        `curl -s ${origin}/api/v1/chat/completions \\`,
        `  -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\`,
        `  -d '{"model":"${model}","messages":[{"role":"user","content":"Hello"}]}'`,
      ),
    ),
  ],
};

const openaiPython: Client = {
  name: 'openai (Python)',
  lines: ({ origin, key, model }) => [
    inShell('pip install openai'),
    {
      label: 'hello.py',
      code: text(
        `from openai import OpenAI`,
        ``,
        `client = OpenAI(base_url="${origin}/api/v1", api_key="${key}")`,
        `completion = client.chat.completions.create(`,
        `    model="${model}",`,
        `    messages=[{"role": "user", "content": "Hello"}],`,
        `)`,
        `print(completion.choices[0].message.content)`,
      ),
    },
  ],
};

const openaiJs: Client = {
  name: 'openai (JavaScript)',
  lines: ({ origin, key, model }) => [
    inShell('npm install openai'),
    {
      label: 'hello.mjs',
      code: text(
        `import OpenAI from 'openai';`,
        ``,
        `const client = new OpenAI({ baseURL: '${origin}/api/v1', apiKey: '${key}' });`,
        `const { choices } = await client.chat.completions.create({`,
        `  model: '${model}',`,
        `  messages: [{ role: 'user', content: 'Hello' }],`,
        `});`,
        `console.log(choices[0]?.message.content);`,
      ),
    },
  ],
};

const aiSdk: Client = {
  name: 'AI SDK',
  lines: ({ origin, key, model }) => [
    inShell('npm install ai @ai-sdk/openai'),
    {
      label: 'hello.mjs',
      code: text(
        `import { createOpenAI } from '@ai-sdk/openai';`,
        `import { generateText } from 'ai';`,
        ``,
        `const gatehouse = createOpenAI({ baseURL: '${origin}/api/v1', apiKey: '${key}' });`,
        `const { text } = await generateText({ model: gatehouse.chat('${model}'), prompt: 'Hello' });`,
        `console.log(text);`,
      ),
    },
  ],
};

const openrouterSdk: Client = {
  name: '@openrouter/sdk',
  lines: ({ origin, key, model }) => [
    inShell('npm install @openrouter/sdk'),
    {
      label: 'hello.mjs',
      code: text(
        `import { OpenRouter } from '@openrouter/sdk';`,
        ``,
        `const client = new OpenRouter({ serverURL: '${origin}/api/v1', apiKey: '${key}' });`,
        `const { choices } = await client.chat.send({`,
        `  chatRequest: { model: '${model}', messages: [{ role: 'user', content: 'Hello' }] },`,
        `});`,
        `console.log(choices[0]?.message.content);`,
      ),
    },
  ],
};

const openWebUi: Client = {
  name: 'Open WebUI',
  lines: ({ origin, key }) => [
    inShell(
      text(
        `docker run -d --name open-webui -p 8080:8080 \\`,
        `  --add-host=host.docker.internal:host-gateway \\`,
        `  -e OPENAI_API_BASE_URL=${fromContainer(origin)}/api/v1 \\`,
        `  -e OPENAI_API_KEY=${key} \\`,
        `  -v open-webui:/app/backend/data \\`,
        `  ghcr.io/open-webui/open-webui:main`,
      ),
    ),
  ],
};

const libreChat: Client = {
  name: 'LibreChat',
  lines: ({ origin, key, model }) => [
    {
      label: 'librechat.yaml',
      code: text(
        `version: 1.2.8`,
        `endpoints:`,
        `  custom:`,
        `    - name: Gatehouse`,
        `      apiKey: '\${GATEHOUSE_API_KEY}'`,
        `      baseURL: '${fromContainer(origin)}/api/v1'`,
        `      models:`,
        `        default: ['${model}']`,
        `        fetch: true`,
        `      titleConvo: true`,
        `      titleModel: '${model}'`,
      ),
    },
    { label: '.env', code: `GATEHOUSE_API_KEY=${key}` },
  ],
};

/** How to configure each client for this service. Agents come first, because most readers look for them. */
export const CLIENTS: readonly Client[] = [
  claudeCode,
  codex,
  opencode,
  curl,
  openaiPython,
  openaiJs,
  aiSdk,
  openrouterSdk,
  openWebUi,
  libreChat,
];
