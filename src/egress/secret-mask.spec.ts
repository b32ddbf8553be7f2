import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { SecretMatcher } from './masking/secret-matcher.js';
import { SecretMask } from './secret-mask.js';

const through = async (chunks: readonly string[], values: readonly string[]): Promise<string> =>
  (
    await buffer(
      Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(new SecretMask(SecretMatcher.of(values))),
    )
  ).toString('utf8');
const maskedText = (text: string, values: readonly string[]): string => SecretMatcher.of(values).maskedText(text);

describe('masking secrets in responses', () => {
  it.each([
    ['without an encoding', 'key hunter22 end', 'key ******** end'],
    ['twice in a row', 'hunter22hunter22', '****************'],
    ['in base64', Buffer.from('hunter22').toString('base64'), `${'*'.repeat(11)}=`],
  ])('masks a value %s and keeps the length of the text', async (_, text, masked) => {
    expect(await through([text], ['hunter22'])).toBe(masked);
    expect(maskedText(text, ['hunter22'])).toBe(masked);
  });

  it('masks the JSON and URL forms of a value', async () => {
    const value = 'a"b/c d?e';
    for (const form of [JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])
      expect(await through([form], [value])).toBe('*'.repeat(form.length));
  });

  it('masks a value wherever the chunks are split, and changes no other byte', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('hunter22', 'hunt', 'er22', 'h', 'x', '\n'), { maxLength: 12 }),
        fc.array(fc.nat(20), { maxLength: 12 }),
        async (parts, cuts) => {
          const text = parts.join('');
          const chunks: string[] = [];
          let at = 0;
          for (const cut of cuts) chunks.push(text.slice(at, (at += cut)));
          chunks.push(text.slice(at));
          expect(await through(chunks.filter(Boolean), ['hunter22'])).toBe(text.replaceAll('hunter22', '********'));
        },
      ),
    );
  });

  it('does not search for a value shorter than six characters, which would damage every response', () => {
    expect(SecretMatcher.of(['abc', '']).isEmpty).toBe(true);
    expect(maskedText('abc', ['abc'])).toBe('abc');
  });
});
