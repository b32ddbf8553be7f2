import { makeKey } from '../../api/api-builders.js';
import { clipboard, type Task } from './task.js';

const TEAMMATE = 'Mei Tanaka';
const CHANNEL_KEY = 'sk-channel-of-a-task-0123456789';

const monthlyKey: Task = {
  name: 'a monthly key for a teammate, handed over',
  run: async ({ hand, page, api, service, suffix }) => {
    await hand.go('Keys');
    await hand.press('button', 'Create key');
    await hand.fill('Name', `For Mei ${suffix}`);
    await hand.find('Owner', 'Mei', TEAMMATE);
    await hand.fill('Limit, USD', '25');
    await hand.press('button', 'Create');
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor();
    await hand.press('button', `Copy Message to ${TEAMMATE}`);
    const message = await clipboard(page);
    await hand.press('button', 'Done');
    const [secret] = /^sk-\S+$/m.exec(message)!;
    const own = (await service.as(secret).get('/key')).json.data;
    expect(own).toMatchObject({ limit: 25, limit_reset: 'monthly' });
    const [key] = (await api.get(`/key-list?q=${encodeURIComponent(`For Mei ${suffix}`)}`)).json.data;
    expect(key.creator_name).toBe(TEAMMATE);
    expect(message).toContain('/console/connect');
  },
};

let leaked: string;
const rotation: Task = {
  name: 'rotate a leaked key',
  before: async ({ service, suffix }) => {
    leaked = (await makeKey(service.management, { name: `Leaked ${suffix}` })).key;
  },
  run: async ({ hand, page, service, suffix }) => {
    await hand.search(`Leaked ${suffix}`);
    await page.getByRole('heading', { name: `Leaked ${suffix}`, level: 1 }).waitFor();
    await hand.press('button', 'Rotate');
    await page.getByRole('dialog', { name: 'Rotate the secret' }).waitFor();
    await hand.pick('Yes: end the old secret now');
    await hand.press('button', 'Rotate');
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor();
    await hand.press('button', 'Copy Key');
    const secret = await clipboard(page);
    await hand.press('button', 'Done');
    expect((await service.as(secret).get('/key')).status).toBe(200);
    expect((await service.as(leaked).get('/key')).status).toBe(401);
  },
};

const callable: Task = {
  name: 'which models can be called, and what is missing for another',
  run: async ({ hand, page, api }) => {
    await hand.go('Models');
    await hand.pick('Only models that can be called now');
    const count = (await api.get('/models/user')).json.data.length;
    await page.getByRole('status').getByText(`${count} models, ${count} of them can be called now`).waitFor();
    await hand.pick('Only models that can be called now');
    await hand.fill('Search', 'claude-haiku-4', true);
    const missing = page.getByRole('link', { name: /^anthropic\/claude-haiku-4/ }).first();
    await missing.waitFor();
    await hand.press('link', (await missing.textContent())!);
    await page.getByText('It cannot be called yet').waitFor();
    const variables = await page.getByRole('region', { name: 'Variables' }).textContent();
    expect(variables).toContain('ANTHROPIC_API_KEY');
  },
};

const playground: Task = {
  name: 'try a model, and copy it as curl, JavaScript and Python',
  run: async ({ hand, page, api, suffix }) => {
    const prompt = `Say hello to ${suffix}`;
    await hand.go('Playground');
    await hand.fill('Prompt', prompt);
    await hand.enter();
    await page.getByText(/^Cost \$/).waitFor();
    const copies: string[] = [];
    for (const [at, client] of ['curl', 'openai (JavaScript)', 'openai (Python)'].entries()) {
      if (at > 0) await hand.press('tab', client);
      await hand.press('button', `Copy Call by ${client}`);
      copies.push(await clipboard(page));
    }
    const model = /"model": ?"([^"]+)"/.exec(copies[0]!)![1]!;
    for (const copy of copies) for (const part of [prompt, model]) expect(copy).toContain(part);
    expect(copies.map((copy) => /^(curl|import \w+)/.exec(copy)![1])).toEqual(['curl', 'import OpenAI', 'import os']);
    const [call] = (await api.get('/generations?limit=1')).json.data;
    expect(call.status).toBe(200);
  },
};

const intern: Task = {
  name: 'create an intern, talk to it, and approve what it does',
  run: async ({ hand, page, api, suffix }) => {
    const name = `ada-${suffix}`;
    await hand.go('Interns');
    await hand.press('button', 'Create intern');
    await hand.fill('Name', name);
    await hand.press('button', 'Create');
    await hand.closed();
    await hand.press('link', name);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('running', { exact: true }).waitFor();
    await hand.fill('Message', '/call write_file {"path":"note.txt","content":"Hello"}');
    await hand.enter();
    await page.getByRole('alert').filter({ hasText: 'The intern waits for you' }).waitFor();
    await hand.press('button', 'Allow once', true);
    await page.getByRole('log').getByText('You allowed it once').waitFor();
    const interns: { name: string; status: string }[] = (await api.get('/interns')).json.data;
    expect(interns.find((each) => each.name === name)?.status).toBe('running');
  },
};

const channel: Task = {
  name: 'add a credential of a vendor, tested',
  run: async ({ hand, page, api, suffix }) => {
    await hand.go('Channels');
    await hand.press('button', 'Add a channel');
    await hand.find('Provider', 'OpenAI', 'OpenAI');
    await hand.fill('Name', suffix);
    await hand.fill('Key at the provider', CHANNEL_KEY);
    await hand.press('button', 'Add and test');
    const card = page.getByRole('article', { name: `${suffix} of OpenAI`, exact: true });
    await card.getByText('The vendor lists 2 models.').waitFor();
    const channels: { name: string }[] = (await api.get('/providers/credentials')).json.data;
    expect(channels.map((each) => each.name)).toContain(suffix);
    expect(await page.content()).not.toContain(CHANNEL_KEY);
  },
};

const claudeCode: Task = {
  name: 'connect Claude Code, and see its first call',
  run: async ({ hand, page, api, suffix }) => {
    await hand.go('Connect a client');
    await hand.press('button', 'Create a key now');
    await hand.fill('Name', `Claude Code ${suffix}`);
    await hand.press('button', 'Create');
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor();
    await hand.press('button', 'Done');
    await hand.closed();
    const lines = (await page.getByRole('region', { name: 'Claude Code: In the shell' }).textContent())!;
    await hand.press('button', 'Wait for the first call');
    await page.getByText('Waiting for a call of this key').waitFor();
    await callAsClaudeCode(lines);
    await page.getByText('The call arrived').waitFor({ timeout: 20_000 });
    await hand.press('link', 'Open the call');
    await page.getByRole('heading', { name: 'Call', level: 1, exact: true }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    const call = (await api.get(`/generation?id=${id}`)).json.data;
    await page.getByRole('link', { name: `Claude Code ${suffix}` }).waitFor();
    await page.getByRole('link', { name: call.model }).waitFor();
  },
};

/** Sends one request as Claude Code does after these shell lines. */
async function callAsClaudeCode(lines: string): Promise<void> {
  const variable = (name: string): string => new RegExp(`${name}=(\\S+)`).exec(lines)![1]!;
  const model = /--model (\S+)/.exec(lines)![1]!;
  const messages = [{ role: 'user', content: 'Hello' }];
  const response = await fetch(`${variable('ANTHROPIC_BASE_URL')}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${variable('ANTHROPIC_AUTH_TOKEN')}`,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model, max_tokens: 64, messages }),
  });
  expect(response.status).toBe(200);
}

export const BUILD_TASKS: readonly Task[] = [monthlyKey, rotation, callable, playground, intern, channel, claudeCode];
