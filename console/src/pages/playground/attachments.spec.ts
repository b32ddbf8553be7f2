import type { ModelRecord } from '../../api/records';
import { faultOf, readAttachment, refusalOf, takenKinds, type Attachment } from './attachments';

const model = (id: string, ...input_modalities: string[]): ModelRecord =>
  ({ id, architecture: { input_modalities } }) as unknown as ModelRecord;
const attachment = (part: Partial<Attachment> = {}): Attachment => ({
  kind: 'image',
  name: 'a.png',
  mediaType: 'image/png',
  bytes: 3,
  base64: 'AAAA',
  ...part,
});
const SEES = model('a/sees', 'text', 'image');
const READS = model('a/reads', 'text', 'file');

describe('the input that models take in addition to text', () => {
  it('is the input that all chosen models take; a message names the input that a model refuses', () => {
    expect([takenKinds([SEES]), refusalOf([SEES])]).toEqual([['image'], 'a/sees takes no files.']);
    expect([takenKinds([SEES, READS]), refusalOf([SEES, READS])]).toEqual([
      [],
      'a/reads takes no pictures; a/sees takes no files.',
    ]);
    expect(refusalOf([model('a/text', 'text')])).toBe('a/text takes no pictures or files.');
    expect([takenKinds([]), refusalOf([])]).toEqual([['image', 'file'], undefined]);
  });
});

describe('files of a prompt', () => {
  it('are refused before the call if a model does not take them, also files of earlier prompts', () => {
    const picture = attachment();
    expect(faultOf([picture], [], [SEES])).toBeUndefined();
    expect(faultOf([picture], [], [READS])).toBe('a/reads takes no pictures: a.png cannot be sent to it.');
    expect(faultOf([], [picture], [READS])).toBe('a/reads takes no pictures: a.png cannot be sent to it.');
    expect(faultOf([], [attachment({ base64: null })], [READS])).toBeUndefined();
  });

  it('are refused before the call if they are too many, or too large together with earlier files', () => {
    expect(faultOf(Array(11).fill(attachment()), [], [SEES])).toMatch(/^At most 10 files/);
    const large = attachment({ bytes: 10_000_000 });
    expect(faultOf([large], [], [SEES])).toBeUndefined();
    expect(faultOf([large], [large], [SEES])).toBe(
      'The files of the conversation have 20.0 MB, and a request takes 18.0 MB: remove some, or begin a new one.',
    );
    expect(faultOf([large], [attachment({ bytes: 10_000_000, base64: null })], [SEES])).toBeUndefined();
  });
});

describe('a file that is attached', () => {
  const file = (content: string | Uint8Array<ArrayBuffer>, name: string, type = ''): File =>
    new File([content], name, { type });
  const PNG = new Uint8Array(100_000).fill(0xff);

  it('is a picture, a PDF or a text, by its type or its content', async () => {
    const picture = await readAttachment(file(PNG, 'a.png', 'image/png'));
    expect(picture).toMatchObject({ kind: 'image', name: 'a.png', mediaType: 'image/png', bytes: 100_000 });
    expect(atob(picture.base64!)).toBe('\u00ff'.repeat(100_000));
    const kinds = [
      file('%PDF', 'a.pdf', 'application/pdf'),
      file('# ü', 'a.md'),
      file('a', 'a.csv', 'text/csv;charset=utf-8'),
      file('{}', 'a.json', 'application/json'),
    ].map(async (each) => (await readAttachment(each)).mediaType);
    expect(await Promise.all(kinds)).toEqual(['application/pdf', 'text/plain', 'text/csv', 'text/plain']);
  });

  it.each([
    ['empty', file('', 'a.txt'), 'a.txt is empty.'],
    [
      'too large',
      file(new Uint8Array(18_000_001), 'a.png', 'image/png'),
      'a.png has 18.0 MB, and a request takes 18.0 MB.',
    ],
    ['an SVG picture', file('<svg/>', 'a.svg', 'image/svg+xml'), /^a\.svg is neither PNG/],
    ['a recording', file('a', 'a.mp3', 'audio/mpeg'), /^a\.mp3 is neither PNG/],
    ['binary', file(new Uint8Array([1, 0, 2]), 'a.bin'), /^a\.bin is neither PNG/],
    ['not UTF-8', file(new Uint8Array([0xff]), 'a.bin'), /^a\.bin is neither PNG/],
  ])('is refused with its name in the message if it is %s', async (_, given, message) => {
    await expect(readAttachment(given)).rejects.toThrow(message);
  });
});
