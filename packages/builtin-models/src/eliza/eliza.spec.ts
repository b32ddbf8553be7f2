import {
  converse,
  MAX_OUTPUT_TOKENS,
  type ElizaMessage,
  type ElizaReply,
  type ElizaRequest,
  type ElizaToolCall,
} from './eliza.ts';

const user = (text: string): ElizaMessage => ({ role: 'user', text });
const assistant = (text: string): ElizaMessage => ({ role: 'assistant', text });
const tools = [{ name: 'add' }, { name: 'look_up' }];

const textOf = ({ deltas }: ElizaReply): string =>
  [...deltas].map((delta) => (delta.type === 'text' ? delta.text : '')).join('');
const callOf = ({ deltas }: ElizaReply): ElizaToolCall | undefined =>
  [...deltas].flatMap((delta) => (delta.type === 'tool_call' ? [delta.toolCall] : []))[0];
const say = (text: string, rest: Partial<ElizaRequest> = {}): ElizaReply =>
  converse({ messages: [user(text)], ...rest });

describe('a reply', () => {
  it('greets if there is no message yet', () => {
    expect(textOf(converse({ messages: [] }))).toBe('Hello. I am Eliza. What would you like to talk about?');
    expect(textOf(converse({ messages: [{ role: 'system', text: 'Be brief.' }] }))).toMatch(/^Hello\./);
  });

  it('is sent word by word', () => {
    const { deltas } = say('I am sad.');
    expect([...deltas]).toEqual(
      ['I', ' am', ' sorry', ' that', ' you', ' feel', ' sad.', ' What', ' brought', ' it', ' on?'].map((text) => ({
        type: 'text',
        text,
      })),
    );
    expect([...deltas]).toEqual([...deltas]);
  });

  it('depends only on the conversation: the same request has the same reply', () => {
    const messages = [user('I am sad.'), assistant('So?'), user('I am sad about the weather.')];
    expect(textOf(converse({ messages }))).toBe(textOf(converse({ messages })));
  });

  it('is the next reply of a rule that applies again', () => {
    const first = textOf(say('My cat sleeps.'));
    const second = textOf(converse({ messages: [user('My cat sleeps.'), assistant(first), user('My cat is fat.')] }));
    expect(first).toBe('What is your cat called?');
    expect(second).toBe('What does your cat give you that people do not?');
  });

  it('refers to an earlier message if a message has no keyword', () => {
    const messages = [user('I lost my keys.'), assistant('…'), user('Rain fell upon the green hills.')];
    expect(textOf(converse({ messages }))).toBe('You told me that you lost your keys. Does it still weigh on you?');
  });

  it('is about the keyword of the highest rank, even if other keywords precede it', () => {
    expect(textOf(say('Hello, maybe because of it I feel lonely.'))).toBe('When do you feel lonely the most?');
  });

  it('names an emergency number to a person in danger', () => {
    expect(textOf(say('i want to kill myself'))).toMatch(/emergency number/);
  });

  it.each(['Привет, как дела?', 'Ich weiß nicht weiter.', 'No sé qué hacer con mi vida', '你好吗'])(
    'asks for English if the message is in another language: %s',
    (text) => {
      expect(textOf(say(text))).toBe('I only follow English, and only a little of it. Could you say that in English?');
    },
  );

  it('encourages the user to write if the message has no words', () => {
    expect(textOf(say(' … !? 🙂'))).toBe('Take your time. I am listening.');
  });

  it('ignores the part of a message beyond the limit', () => {
    const filler = 'rain '.repeat(400);
    expect(textOf(say(`${filler} I am sad`))).toBe(textOf(say(filler)));
  });
});

describe('usage', () => {
  it('counts four bytes of UTF-8 as a token, rounded up, over all messages and calls', () => {
    const messages: ElizaMessage[] = [
      { role: 'system', text: 'Überaus' }, // 8 bytes
      user('Hello'), // 5 bytes
      { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'add', arguments: '{}' }] }, // 5 bytes
      { role: 'tool', text: 'four', toolCallId: 'a' }, // 4 bytes
    ];
    expect(converse({ messages }).usage).toEqual({ promptTokens: 6, completionTokens: 1 });
  });

  it('includes a system message, which does not change the reply', () => {
    const messages = [user('I am sad.')];
    const reply = converse({ messages: [{ role: 'system', text: 'You are a pirate.' }, ...messages] });
    expect(textOf(reply)).toBe(textOf(converse({ messages })));
    expect(reply.usage.promptTokens).toBeGreaterThan(converse({ messages }).usage.promptTokens);
  });
});

describe('the end of a reply', () => {
  it('is at the limit of output tokens, with the finish reason "length"', () => {
    const reply = say('I am sad.', { maxOutputTokens: 3 });
    expect(textOf(reply)).toBe('I am sorry t');
    expect(reply).toMatchObject({ finishReason: 'length', usage: { completionTokens: 3 } });
  });

  it('is the end of the text if the text fits exactly', () => {
    expect(say('I am sad.', { maxOutputTokens: 13 })).toMatchObject({
      finishReason: 'stop',
      usage: { completionTokens: 13 },
    });
  });

  it('never splits a character', () => {
    const messages: ElizaMessage[] = [{ role: 'tool', text: '🙂🙂é' }];
    expect(textOf(converse({ messages, maxOutputTokens: 1 }))).toBe('🙂');
    expect(textOf(converse({ messages: [{ role: 'tool', text: 'a🙂' }], maxOutputTokens: 1 }))).toBe('a');
  });

  it.each([0, -1, NaN])('leaves the reply empty if the limit is %d output tokens', (maxOutputTokens) => {
    const reply = say('Hello', { maxOutputTokens });
    expect(textOf(reply)).toBe('');
    expect(reply).toMatchObject({ finishReason: 'length', usage: { completionTokens: 0 } });
  });

  it('is before the first stop string', () => {
    const reply = say('I am sad.', { stop: ['', 'What', 'sorry that'] });
    expect(textOf(reply)).toBe('I am ');
    expect(reply.finishReason).toBe('stop');
  });

  it(`is never later than ${MAX_OUTPUT_TOKENS} tokens`, () => {
    const reply = converse({ messages: [{ role: 'tool', text: 'x'.repeat(300_000) }], maxOutputTokens: 1e9 });
    expect(textOf(reply)).toHaveLength(4 * MAX_OUTPUT_TOKENS);
    expect(reply.finishReason).toBe('length');
  });
});

describe('a tool', () => {
  it('is called with the arguments exactly as written', () => {
    const reply = say('/call add {"a": 1,  "b": 2}', { tools });
    expect(callOf(reply)).toEqual({ id: 'call_eliza_1', name: 'add', arguments: '{"a": 1,  "b": 2}' });
    expect(reply).toMatchObject({ finishReason: 'tool_calls', usage: { completionTokens: 5 } });
  });

  it('is called by the last part of a message, even if a system message follows', () => {
    const messages: ElizaMessage[] = [
      { role: 'user', text: 'Remember the rules./call add {}', lastPart: '/call add {}' },
      { role: 'system', text: 'Environment' },
    ];
    expect(callOf(converse({ messages, tools }))).toMatchObject({ name: 'add', arguments: '{}' });
  });

  it('is called with an empty object if no arguments are given', () => {
    expect(callOf(say('  /call look_up\n', { tools }))).toMatchObject({ name: 'look_up', arguments: '{}' });
  });

  it('has a call id that depends on the position in the conversation', () => {
    const messages = [user('/call add {}'), assistant(''), user('/call add {}')];
    expect(callOf(converse({ messages, tools }))?.id).toBe('call_eliza_3');
  });

  it('returns a result that becomes the reply', () => {
    const call = { id: 'call_eliza_1', name: 'add', arguments: '{}' };
    const messages: ElizaMessage[] = [
      user('/call add {}'),
      { role: 'assistant', text: '', toolCalls: [call] },
      { role: 'tool', text: 'The sum is\n3.', toolCallId: call.id },
    ];
    expect(textOf(converse({ messages, tools }))).toBe('The sum is\n3.');
    expect(textOf(converse({ messages: [{ role: 'tool', text: '' }] }))).toBe('The tool returned nothing.');
  });

  it.each([
    ['/call', 'Write "/call <tool> <JSON arguments>", for example /call add {"a": 1, "b": 2}.'],
    ['/call divide {}', `I can't call "divide": the request offers no tool of that name.`],
    ['/call add {"a": 1', `I can't call "add": its arguments are not a JSON object.`],
    ['/call add [1, 2]', `I can't call "add": its arguments are not a JSON object.`],
    ['/call add null', `I can't call "add": its arguments are not a JSON object.`],
    [`/call add {"a":"${'x'.repeat(20_000)}"}`, `I can't call "add": its arguments have more than 16384 characters.`],
  ])('is not called by the faulty command %.20s, and the reply gives the reason', (command, text) => {
    const reply = say(command, { tools });
    expect(textOf(reply)).toBe(text);
    expect(reply.finishReason).toBe('stop');
  });

  it('is not called if the call would exceed the limit of output tokens', () => {
    const reply = say('/call add {"a": 1, "b": 2}', { tools, maxOutputTokens: 2 });
    expect([...reply.deltas]).toEqual([]);
    expect(reply).toMatchObject({ finishReason: 'length', usage: { completionTokens: 0 } });
  });

  it('is called neither by a command in an earlier message nor by a word that begins like a command', () => {
    expect(callOf(converse({ messages: [user('/call add {}'), user('Hello')], tools }))).toBeUndefined();
    expect(callOf(say('/caller add {}', { tools }))).toBeUndefined();
  });
});

describe('a response format', () => {
  const reply = 'I am sorry that you feel sad. What brought it on?';

  it('json_object has the reply in one object', () => {
    expect(textOf(say('I am sad.', { responseFormat: { type: 'json_object' } }))).toBe(JSON.stringify({ reply }));
  });

  it('json_schema has the reply in the first string property', () => {
    const schema = {
      type: 'object',
      properties: { mood: { enum: ['sad', 'glad'] }, text: { type: 'string' }, score: { type: 'number' } },
      required: ['mood', 'text', 'score'],
      additionalProperties: false,
    };
    expect(JSON.parse(textOf(say('I am sad.', { responseFormat: { type: 'json_schema', schema } })))).toEqual({
      mood: 'sad',
      text: reply,
      score: 0,
    });
  });
});
