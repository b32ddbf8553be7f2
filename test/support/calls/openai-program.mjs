// Calls a service through the `openai` package of the working folder, whatever its version, and prints the results.
// Usage: node openai-program.mjs <base URL> <API key> <management key>
import OpenAI, { toFile } from 'openai';

const [baseURL, apiKey, managementKey] = process.argv.slice(2);
const client = new OpenAI({ apiKey, baseURL, maxRetries: 0 });
const management = new OpenAI({ apiKey: managementKey, baseURL, maxRetries: 0 });
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const BY_URL = { response_format: 'url' };
const messages = [{ role: 'user', content: 'I am sad' }];
const CALLS = {
  chat: async () =>
    (await client.chat.completions.create({ model: 'builtin/eliza', messages })).choices[0].message.content,
  stream: async () => {
    let text = '';
    const stream = await client.chat.completions.create({ model: 'builtin/eliza', messages, stream: true });
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
    return text;
  },
  embeddings: async () =>
    (await client.embeddings.create({ model: 'builtin/lexical-embedding', input: 'text' })).data[0].embedding.length,
  model: async () => (await client.models.retrieve('builtin/poster')).id,
  image: async () =>
    (await client.images.generate({ model: 'builtin/poster', prompt: 'A kite', ...BY_URL })).data[0].url,
  edit: async () => {
    const image = await toFile(Buffer.from(PICTURE, 'base64'), 'a.png', { type: 'image/png' });
    return (await client.images.edit({ model: 'builtin/poster', prompt: 'A kite', image })).data[0].b64_json.slice(
      0,
      8,
    );
  },
  speech: async () =>
    (
      await (
        await client.audio.speech.create({
          model: 'builtin/flite',
          voice: 'alloy',
          input: 'Good morning',
          response_format: 'mp3',
        })
      ).arrayBuffer()
    ).byteLength > 1_000,
  file: async () => {
    const file = await toFile(Buffer.from('text'), 'a.txt');
    return (await management.files.create({ file, purpose: 'assistants' })).filename;
  },
  unknown: async () => (await client.chat.completions.create({ model: 'no/such', messages })).id,
  unauthorized: async () => (await new OpenAI({ apiKey: 'wrong', baseURL, maxRetries: 0 }).models.list()).data.length,
};

const results = {};
for (const [name, call] of Object.entries(CALLS))
  results[name] = await call().catch((error) => `${error.constructor.name} ${error.status}`);
process.stdout.write(JSON.stringify(results));
