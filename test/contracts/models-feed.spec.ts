import { SaxesParser } from 'saxes';
import { aModel } from '../support/catalogue/catalogue-builder.js';
import { Catalogue } from '../../src/catalogue/catalogue.js';
import { toFeed } from '../../src/operations/models/models.feed.js';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/**
 * A strict XML parser that shares no code with the library that writes the feed. Throws if the text is not well-formed.
 */
function parsed(xml: string): Element {
  const parser = new SaxesParser({ xmlns: true });
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    const element: Element = {
      name: tag.name,
      attributes: Object.fromEntries(Object.entries(tag.attributes).map(([name, { value }]) => [name, value])),
      children: [],
      text: '',
    };
    stack.at(-1)!.children.push(element);
    stack.push(element);
  });
  parser.on('closetag', () => void stack.pop());
  parser.on('text', (text) => void (stack.at(-1)!.text += text));
  parser.on('cdata', (text) => void (stack.at(-1)!.text += text));
  parser.write(xml).close();
  return root.children[0]!;
}

const all = (element: Element, name: string): Element[] => element.children.filter((child) => child.name === name);
const textOf = (element: Element, name: string): string | undefined => all(element, name)[0]?.text;
const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const RFC_822 = new RegExp(`^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d{2} (${MONTHS}) \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$`);
/** The elements of the RSS 2.0 specification, and the one element that the feed uses from Atom's namespace. */
const OF_CHANNEL = [
  'title',
  'link',
  'description',
  'language',
  'lastBuildDate',
  'docs',
  'generator',
  'atom:link',
  'item',
];
const OF_ITEM = ['title', 'link', 'description', 'guid', 'pubDate'];

function expectValidRss(xml: string): Element {
  const rss = parsed(xml);
  expect([rss.name, rss.attributes.version]).toEqual(['rss', '2.0']);
  expect(rss.children.map((child) => child.name)).toEqual(['channel']);
  const [channel] = all(rss, 'channel') as [Element];
  for (const name of ['title', 'link', 'description']) expect(all(channel, name)).toHaveLength(1);
  expect(channel.children.filter((child) => !OF_CHANNEL.includes(child.name)).map((child) => child.name)).toEqual([]);
  expect(URL.canParse(textOf(channel, 'link')!)).toBe(true);
  expect(textOf(channel, 'lastBuildDate')).toMatch(RFC_822);
  for (const item of all(channel, 'item')) {
    expect(item.children.map((child) => child.name).toSorted()).toEqual(OF_ITEM.toSorted());
    expect(URL.canParse(textOf(item, 'link')!)).toBe(true);
    expect(textOf(item, 'pubDate')).toMatch(RFC_822);
    expect(all(item, 'guid')[0]?.attributes.isPermaLink).toBe('false');
  }
  const guids = all(channel, 'item').map((item) => textOf(item, 'guid'));
  expect(new Set(guids).size).toBe(guids.length);
  return channel;
}

const ADDRESSES = { base: 'https://gate.example', self: '/api/v1/models?use_rss=1&sort=newest', chatLinks: false };

describe('the RSS feed of models', () => {
  it('is valid RSS 2.0: title, link, guid, pubDate and description of every model', () => {
    const channel = expectValidRss(
      toFeed([aModel('a/b', { name: 'B', description: 'About b', created: 1_795_132_800 }), aModel('a/c')], ADDRESSES),
    );
    const [first] = all(channel, 'item') as [Element];
    expect(first.children.map((child) => [child.name, child.text])).toEqual(
      expect.arrayContaining([
        ['title', 'B'],
        ['link', 'https://gate.example/api/v1/models/a/b/endpoints'],
        ['guid', 'a/b'],
        ['pubDate', 'Fri, 20 Nov 2026 00:00:00 GMT'],
        ['description', 'About b'],
      ]),
    );
    expect(all(channel, 'atom:link')[0]?.attributes).toMatchObject({
      href: 'https://gate.example/api/v1/models?use_rss=1&sort=newest',
      rel: 'self',
    });
  });

  it('links to a chat with the model if use_rss_chat_links is set', () => {
    const channel = expectValidRss(toFeed([aModel('a/b:free')], { ...ADDRESSES, chatLinks: true }));
    expect(textOf(all(channel, 'item')[0]!, 'link')).toBe('https://gate.example/chat?models=a%2Fb%3Afree');
  });

  it.each([
    'a ]]> b ]]> c',
    '<script>&amp;</script>',
    'bell \u0007, null \u0000, half \ud800 a pair',
    '"quotes" & \u{1f680}',
    ']]]]>>',
  ])('stays valid with the hostile text %j in name and description', (text) => {
    const channel = expectValidRss(toFeed([aModel('a/b', { name: text, description: text })], ADDRESSES));
    expect(all(channel, 'item')).toHaveLength(1);
  });

  it('is valid with every shipped model', () => {
    const models = new Catalogue().all();
    expect(models.length).toBeGreaterThan(231);
    expect(all(expectValidRss(toFeed(models, ADDRESSES)), 'item').map((item) => textOf(item, 'guid'))).toEqual(
      models.map(({ id }) => id),
    );
  });

  it('is valid without any model', () => {
    expect(all(expectValidRss(toFeed([], ADDRESSES)), 'item')).toEqual([]);
  });
});
