import {
  carried,
  chatMessages,
  CONVERTED_HELLO,
  HELLO,
  items,
  leftOut,
  refused,
  user,
  type RequestMember,
} from './format-pair.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PDF = Buffer.from('%PDF-1.4').toString('base64');
const URL = 'https://e.com/a.png';
const dataUrl = (type: string, base64: string): string => `data:${type};base64,${base64}`;

const picture = (chat: string, source: object): Pick<RequestMember, 'says' | 'becomes'> => {
  const parts = {
    chat: { type: 'image_url', image_url: { url: chat } },
    responses: { type: 'input_image', image_url: chat },
    messages: { type: 'image', source },
  };
  return {
    says: {
      chat: chatMessages(user(parts.chat)),
      responses: items(user(parts.responses)),
      messages: chatMessages(user(parts.messages)),
    },
    becomes: {
      chat: carried(chatMessages(user(parts.chat))),
      responses: carried(items(user(parts.responses))),
      messages: carried(chatMessages(user(parts.messages))),
    },
  };
};

const ANSWER = 'Hi';
const said = {
  chat: { role: 'assistant', content: ANSWER },
  responses: { role: 'assistant', content: [{ type: 'output_text', text: ANSWER }] },
  messages: { role: 'assistant', content: [{ type: 'text', text: ANSWER }] },
};

/** Reasoning from a vendor of each format, as clients of that format send it back. */
const CLAUDE = { type: 'reasoning.text', text: 'hm', signature: 'sealed', format: 'anthropic-claude-v1', index: 0 };
const OPENAI = { type: 'reasoning.encrypted', data: 'sealed', id: 'rs_1', format: 'openai-responses-v1', index: 0 };
const thinking = { type: 'thinking', thinking: 'hm', signature: 'sealed' };
const reasoningItem = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' };

/** The members of a request that the model reads. */
export const CONTENT: readonly RequestMember[] = [
  {
    name: 'the text of a user',
    says: { chat: chatMessages(HELLO), responses: { input: 'Hello' }, messages: chatMessages(HELLO) },
    becomes: {
      chat: carried(chatMessages(CONVERTED_HELLO.chat)),
      responses: carried(items(CONVERTED_HELLO.responses)),
      messages: carried(chatMessages(CONVERTED_HELLO.messages)),
    },
  },
  {
    name: 'instructions',
    says: {
      chat: chatMessages({ role: 'system', content: 'Be brief' }, HELLO),
      responses: { instructions: 'Be brief', input: 'Hello' },
      messages: { system: 'Be brief', messages: [HELLO] },
    },
    becomes: {
      chat: carried(chatMessages({ role: 'system', content: 'Be brief' }, HELLO)),
      responses: carried(items({ role: 'system', content: [{ text: 'Be brief' }] }, CONVERTED_HELLO.responses)),
      messages: carried({ system: [{ type: 'text', text: 'Be brief' }] }),
    },
  },
  {
    name: 'an earlier message of the assistant',
    says: {
      chat: chatMessages(HELLO, said.chat, HELLO),
      responses: items(HELLO, said.responses, HELLO),
      messages: chatMessages(HELLO, said.messages, HELLO),
    },
    becomes: {
      chat: carried(chatMessages(HELLO, said.chat, HELLO)),
      responses: carried(items(CONVERTED_HELLO.responses, said.responses, CONVERTED_HELLO.responses)),
      messages: carried(chatMessages(CONVERTED_HELLO.messages, said.messages, CONVERTED_HELLO.messages)),
    },
  },
  {
    name: 'a prefill',
    says: {
      chat: chatMessages(HELLO, said.chat),
      responses: items(HELLO, said.responses),
      messages: chatMessages(HELLO, said.messages),
    },
    becomes: {
      chat: carried(chatMessages(HELLO, said.chat)),
      responses: carried(items(CONVERTED_HELLO.responses, said.responses)),
      messages: carried(chatMessages(CONVERTED_HELLO.messages, said.messages)),
    },
  },
  {
    name: 'a picture',
    ...picture(dataUrl('image/png', PNG), { type: 'base64', media_type: 'image/png', data: PNG }),
  },
  { name: 'a picture by URL', ...picture(URL, { type: 'url', url: URL }) },
  {
    name: 'a document',
    says: {
      chat: chatMessages(
        user({ type: 'file', file: { filename: 'a.pdf', file_data: dataUrl('application/pdf', PDF) } }),
      ),
      responses: items(user({ type: 'input_file', filename: 'a.pdf', file_data: dataUrl('application/pdf', PDF) })),
      messages: chatMessages(
        user({
          type: 'document',
          title: 'a.pdf',
          source: { type: 'base64', media_type: 'application/pdf', data: PDF },
        }),
      ),
    },
    becomes: {
      chat: carried(
        chatMessages(user({ type: 'file', file: { filename: 'a.pdf', file_data: dataUrl('application/pdf', PDF) } })),
      ),
      responses: carried(
        items(user({ type: 'input_file', filename: 'a.pdf', file_data: dataUrl('application/pdf', PDF) })),
      ),
      messages: carried(
        chatMessages(
          user({
            type: 'document',
            title: 'a.pdf',
            source: { type: 'base64', media_type: 'application/pdf', data: PDF },
          }),
        ),
      ),
    },
  },
  {
    name: 'an audio recording',
    says: {
      chat: chatMessages(user({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } })),
      responses: items(user({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } })),
    },
    becomes: {
      chat: carried(chatMessages(user({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } }))),
      responses: carried(items(user({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } }))),
      messages: refused(/audio/),
    },
  },
  {
    name: 'a video',
    says: {
      chat: chatMessages(user({ type: 'video_url', video_url: { url: 'https://e.com/a.mp4' } })),
      responses: items(user({ type: 'input_video', video_url: 'https://e.com/a.mp4' })),
    },
    becomes: {
      chat: carried(chatMessages(user({ type: 'video_url', video_url: { url: 'https://e.com/a.mp4' } }))),
      responses: refused(/video/),
      messages: refused(/video/),
    },
  },
  {
    name: 'a cache breakpoint',
    says: {
      chat: chatMessages(user({ type: 'text', text: 'Hello', cache_control: { type: 'ephemeral', ttl: '1h' } })),
      responses: items(user({ type: 'input_text', text: 'Hello', cache_control: { type: 'ephemeral', ttl: '1h' } })),
      messages: chatMessages(user({ type: 'text', text: 'Hello', cache_control: { type: 'ephemeral', ttl: '1h' } })),
    },
    becomes: {
      chat: carried(chatMessages(user({ text: 'Hello', cache_control: { type: 'ephemeral', ttl: '1h' } }))),
      responses: leftOut(/^cache_control$/),
      messages: carried(chatMessages(user({ text: 'Hello', cache_control: { type: 'ephemeral', ttl: '1h' } }))),
    },
  },
  {
    name: 'signed thinking',
    says: {
      chat: chatMessages(HELLO, { ...said.chat, reasoning_details: [CLAUDE] }, HELLO),
      messages: chatMessages(HELLO, { role: 'assistant', content: [thinking, said.messages.content[0]!] }, HELLO),
    },
    becomes: {
      chat: carried(chatMessages({}, { reasoning: 'hm', reasoning_details: [CLAUDE] }, {})),
      // Another vendor cannot verify the signature.
      responses: carried(items({}, said.responses, {})),
      messages: carried(chatMessages({}, { content: [thinking, said.messages.content[0]!] }, {})),
    },
  },
  {
    name: 'encrypted reasoning',
    says: {
      chat: chatMessages(HELLO, { ...said.chat, reasoning_details: [OPENAI] }, HELLO),
      responses: items(HELLO, reasoningItem, said.responses, HELLO),
    },
    becomes: {
      chat: carried(chatMessages({}, { reasoning_details: [{ data: 'sealed', format: OPENAI.format }] }, {})),
      responses: carried(items({}, reasoningItem, said.responses, {})),
      // Another vendor cannot decrypt the reasoning.
      messages: carried(chatMessages({}, { content: [{ type: 'text', text: ANSWER }] }, {})),
    },
  },
  {
    name: 'an earlier refusal',
    says: {
      chat: chatMessages(HELLO, { role: 'assistant', content: null, refusal: 'No' }, HELLO),
      responses: items(HELLO, { role: 'assistant', content: [{ type: 'refusal', refusal: 'No' }] }, HELLO),
    },
    becomes: {
      chat: carried(chatMessages({}, { role: 'assistant', content: 'No' }, {})),
      responses: carried(items({}, { content: [{ type: 'output_text', text: 'No' }] }, {})),
      messages: carried(chatMessages({}, { content: [{ type: 'text', text: 'No' }] }, {})),
    },
  },
  {
    name: 'an item or block of an unknown type',
    says: {
      responses: items(HELLO, { type: 'local_shell_call_output', output: 'x' }),
      messages: chatMessages(user({ type: 'container_upload', file_id: 'x' })),
    },
    becomes: {
      chat: refused(/local_shell_call_output|container_upload/),
      responses: refused(/container_upload/),
      messages: refused(/local_shell_call_output/),
    },
  },
];
