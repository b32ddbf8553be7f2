import { shown } from './shown.ts';

describe('a text inside a question', () => {
  it.each([
    ['quotes and line ends', 'a"\n\\b', '"a\\"\\n\\\\b"'],
    ['control characters', '\u0000\u001b[2K\u007f\u009b', '"\\u0000\\u001b[2K\\u007f\\u009b"'],
    ['format characters', 'a\u202egnp.exe\u200b\u2066\ufeff', '"a\\u202egnp.exe\\u200b\\u2066\\ufeff"'],
    ['line and paragraph separators', 'a\u2028b\u2029', '"a\\u2028b\\u2029"'],
    ['tag characters', '\u{e0041}', '"\\udb40\\udc41"'],
    ['fillers', 'a\u3164\u115f', '"a\\u3164\\u115f"'],
    ['lone surrogates', '\ud800', '"\\ud800"'],
  ])('has %s escaped', (_what, text, expected) => {
    expect(shown(text)).toBe(expected);
    expect(JSON.parse(shown(text))).toBe(text);
  });

  it('keeps letters of every script, and emoji', () => {
    expect(shown('Grüße, Київ, 東京, 🦊')).toBe('"Grüße, Київ, 東京, 🦊"');
  });

  it('is shown completely up to the limit; only the beginning and the end of a longer text are shown', () => {
    expect(shown('x'.repeat(2_000))).toBe(`"${'x'.repeat(2_000)}"`);
    expect(shown(`start${'x'.repeat(2_000)}end`)).toBe(
      `"start${'x'.repeat(995)}" … 8 characters left out … "${'x'.repeat(997)}end"`,
    );
  });

  it('has a bounded length, however many characters are escaped', () => {
    for (const text of ['\u0000', '"', '\u{e0041}', '🦊'].map((character) => character.repeat(500_000)))
      expect(shown(text, 400).length).toBeLessThan(460);
    expect(shown('\u0000'.repeat(100), 400)).toMatch(
      /^"(?:\\u0000){33}" … 34 characters left out … "(?:\\u0000){33}"$/,
    );
  });
});
