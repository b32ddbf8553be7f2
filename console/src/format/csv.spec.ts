import { csv } from './csv';

describe('csv', () => {
  it('has a header, one line for each row, and CRLF after each line', () => {
    expect(csv(['a', 'b'], [{ a: 'x', b: 1 }, { a: 'y' }])).toBe('a,b\r\nx,1\r\ny,\r\n');
    expect(csv(['a'], [])).toBe('a\r\n');
  });

  it('puts texts with commas, quotes or line ends in quotes, and doubles the quotes in them', () => {
    expect(csv(['a,b'], [{ 'a,b': 'say "hi"' }, { 'a,b': 'one\ntwo' }])).toBe(
      '"a,b"\r\n"say ""hi"""\r\n"one\ntwo"\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx'])('marks %j as text for spreadsheets', (text) => {
    expect(
      csv(['a'], [{ a: text }])
        .split('\r\n')
        .slice(1)
        .join('\r\n'),
    ).toContain(`'${text}`);
  });

  it('writes numbers unchanged, also negative numbers, and nothing for null', () => {
    expect(csv(['a', 'b'], [{ a: -1.5, b: null }])).toBe('a,b\r\n-1.5,\r\n');
  });
});
