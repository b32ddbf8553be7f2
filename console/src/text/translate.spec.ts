import { renderToStaticMarkup } from 'react-dom/server';
import { createElement } from 'react';
import { messages as accentedMessages } from './languages/en-xa';
import { rich } from './rich';
import { plural, setLanguage, t } from './translate';

describe('the text layer', () => {
  afterEach(() => setLanguage('en', {}));

  it('returns the English message if the language has no translation', () => {
    setLanguage('de', { Save: 'Speichern' });

    expect([t('Save'), t('Cancel')]).toEqual(['Speichern', 'Cancel']);
  });

  it('puts values where the translation has their placeholders', () => {
    setLanguage('de', { '{used} of {limit} used': 'Von {limit} sind {used} verbraucht' });

    expect(t('{used} of {limit} used', { used: '$1', limit: '$5' })).toBe('Von $5 sind $1 verbraucht');
  });

  it('leaves braces of a value and placeholders without a value unchanged', () => {
    expect(t('{a} {b}', { a: '{b}' })).toBe('{b} {b}');
  });

  it.each([
    [0, '0 calls'],
    [1, '1 call'],
    [2, '2 calls'],
    [1_234, '1,234 calls'],
  ])('uses the English plural form for %d', (count, text) => {
    expect(plural(count, '{count} call', '{count} calls')).toBe(text);
  });

  it.each([
    [1, '1 wywołanie'],
    [3, '3 wywołania'],
    [5, '5 wywołań'],
    [22, '22 wywołania'],
    [1.5, '1.5 wywołania'],
  ])('uses the plural form of the language for %d', (count, text) => {
    const forms = { one: '{count} wywołanie', few: '{count} wywołania', many: '{count} wywołań' };
    setLanguage('pl', { '{count} calls': { ...forms, other: '{count} wywołania' } });

    expect(plural(count, '{count} call', '{count} calls')).toBe(text);
  });

  it('puts elements into a text', () => {
    setLanguage('de', { 'Read {link} first.': 'Zuerst {link} lesen.' });

    const text = rich('Read {link} first.', { link: createElement('a', { href: '/x' }, 'this') });

    expect(renderToStaticMarkup(text)).toBe('Zuerst <a href="/x">this</a> lesen.');
  });

  it('has a pseudo-language for tests, in which each letter has an accent', () => {
    setLanguage('en-XA', accentedMessages);

    expect(t('Delete {name}', { name: 'a key' })).toBe('Ðéļéţé a key');
    expect(plural(2, '{count} call', '{count} calls')).toBe('2 çáļļš');
  });
});
