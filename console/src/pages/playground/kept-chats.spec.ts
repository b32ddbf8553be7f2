import { jest } from '@jest/globals';
import type { Session } from '../../api/records';
import { forgetTalks, openTalks } from '../../talks/kept-store';
import { newExchange, type Exchange } from './exchange';
import { boundedChat, chatOf, forgetChats, keepChat, keptChats, type Chat } from './kept-chats';
import { NO_PARAMETERS } from './parameters';

/** Behaves like the storage of a browser, in which each key is a property. */
function fakeStorage(): Storage {
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  };
  return Object.create(methods) as Storage;
}

const person = (id: string): Session => ({ account_id: 'account', user: { id } }) as unknown as Session;
const picture = (letters: number) =>
  ({ kind: 'image', name: 'a.png', mediaType: 'image/png', bytes: 3, base64: 'A'.repeat(letters) }) as const;
const ended = (prompt: string, part: Partial<Exchange> = {}): Exchange => ({
  ...newExchange(prompt),
  text: 'Yes',
  tookMs: 5,
  ...part,
});
const chat = (...exchanges: Exchange[]): Chat => ({
  models: ['a/b'],
  system: 'Be brief',
  fields: { ...NO_PARAMETERS, temperature: '0' },
  lanes: [{ model: 'a/b', exchanges }],
});

describe('conversations of the playground in the browser', () => {
  beforeEach(() => {
    globalThis.localStorage = fakeStorage();
    openTalks(person('one'));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    openTalks(null);
    Reflect.deleteProperty(globalThis, 'localStorage');
  });

  it('are read again with their settings, files and failures', () => {
    const kept = chat(ended('One', { attachments: [picture(4)] }), ended('Two', { error: new Error('away') }));
    keepChat('first', kept);
    expect(chatOf('first')).toEqual(kept);
    expect(chatOf('other')).toBeUndefined();
  });

  it('report a call that had not ended when the page was left', () => {
    keepChat('left', chat(ended('One', { tookMs: null })));
    expect(chatOf('left')?.lanes[0]?.exchanges[0]?.error?.message).toMatch(/^The page was left/);
  });

  it('are listed with the newest change first; opening a conversation does not change the order', () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(1);
    keepChat('older', chat(ended('One')));
    now.mockReturnValue(2);
    keepChat('newer', chat(ended('Two')));
    now.mockReturnValue(3);
    keepChat('older', chatOf('older')!);
    expect(keptChats().map(({ id, keptAt }) => [id, keptAt])).toEqual([
      ['newer', 2],
      ['older', 1],
    ]);
  });

  it('can be deleted, and the page that shows a deleted conversation does not store it again', () => {
    keepChat('gone', chat(ended('One')));
    keepChat('stays', chat(ended('Two')));
    forgetChats(['gone']);
    keepChat('gone', chat(ended('One')));
    expect(keptChats().map(({ id }) => id)).toEqual(['stays']);
  });

  it('are listed for one person only', () => {
    keepChat('mine', chat(ended('One')));
    openTalks(person('two'));
    expect([keptChats(), Object.keys(localStorage)]).toEqual([[], ['gatehouse.talks-of']]);
    keepChat('theirs', chat(ended('Two')));
    forgetTalks();
    expect(Object.keys(localStorage)).toEqual([]);
    openTalks({ account_id: 'account', user: null } as unknown as Session);
    keepChat('of-a-key', chat(ended('Three')));
    expect(Object.keys(localStorage)).toEqual([]);
  });

  it('are limited to 50 conversations and 2.5 million characters: the oldest are deleted', () => {
    const now = jest.spyOn(Date, 'now');
    for (let at = 0; at < 52; at++) {
      now.mockReturnValue(at);
      keepChat(`small-${at}`, chat(ended(`Prompt ${at}`)));
    }
    expect([keptChats().length, keptChats().at(-1)?.id]).toEqual([50, 'small-2']);
    now.mockReturnValue(60);
    keepChat('large-1', chat(ended('L', { attachments: [picture(1_400_000)] })));
    now.mockReturnValue(61);
    keepChat('large-2', chat(ended('L', { attachments: [picture(1_400_000)] })));
    expect(keptChats().map(({ id }) => id)).toEqual(['large-2']);
  });
});

describe('a conversation that is too large to be kept', () => {
  it('loses the files of its oldest prompts first', () => {
    const large = chat(ended('One', { attachments: [picture(600)] }), ended('Two', { attachments: [picture(600)] }));
    const { lanes } = boundedChat(large, 1_800);
    expect(lanes[0]!.exchanges.map(({ attachments }) => attachments[0]!.base64?.length)).toEqual([undefined, 600]);
  });

  it('loses its oldest prompts if it is too large without files', () => {
    const long = chat(ended('One', { text: 'x'.repeat(900) }), ended('Two'));
    expect(boundedChat(long, 1_000).lanes[0]!.exchanges.map(({ prompt }) => prompt)).toEqual(['Two']);
  });
});
