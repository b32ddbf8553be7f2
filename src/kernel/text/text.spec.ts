import { faultOfName, isLongerThan, lengthInCharacters } from './text.js';

describe('the check of a text', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 2],
    ['👩‍👧', 3],
    ['\u{1F600}', 1],
    ['\ud800', 1],
  ])('counts %j as %i characters', (text, length) => {
    expect(lengthInCharacters(text)).toBe(length);
  });

  it.each(['a', ' ', 'Ünï/%2F..', '👩‍👧', 'line\u2028separator', '\u00ad'])('accepts %j as a name', (text) => {
    expect(faultOfName(text)).toBeUndefined();
  });

  it.each([
    ['a\u0000b', 'must not contain control characters'],
    ['a\nb', 'must not contain control characters'],
    ['\u007f', 'must not contain control characters'],
    ['\u0085', 'must not contain control characters'],
    ['\ud83d', 'must be well-formed Unicode'],
    ['\ude00\ud83d', 'must be well-formed Unicode'],
  ])('reports that %j %s', (text, fault) => {
    expect(faultOfName(text)).toBe(fault);
  });
});

describe('isLongerThan', () => {
  it.each([
    ['', 0, false],
    ['a', 0, true],
    ['abc', 3, false],
    ['abcd', 3, true],
    ['😀😀😀', 3, false],
    ['😀😀😀a', 3, true],
    ['\ud83d\ud83d\ud83d', 3, false],
    ['\ud83d\ud83d\ud83d\ud83d', 3, true],
    ['a'.repeat(7), 3, true],
    ['a'.repeat(25_000_000), 256, true],
  ])('compares the number of characters: %#', (text, most, isLonger) => {
    expect(isLongerThan(text, most)).toBe(isLonger);
  });
});
