import { EventLines } from './event-lines.js';

const STREAM =
  'event: a\ndata: {"x":1}\n\n: comment\n\ndata:first\ndata: second\n\nid: 7\r\ndata: {"y":"ü"}\r\n\r\n' +
  'data: unfinished\n';

const events = (stream: string, size: number): string[] => {
  const bytes = Buffer.from(stream);
  const lines = new EventLines();
  const found: string[] = [];
  for (let from = 0; from < bytes.length; from += size)
    found.push(...lines.push(bytes.subarray(from, from + size)).map((data) => data.toString('utf8')));
  return found;
};

describe('the events of a stream', () => {
  it.each(Array.from({ length: STREAM.length }, (_, index) => index + 1))(
    'come out whole, once each, in pieces of %i bytes',
    (size) => {
      expect(events(STREAM, size)).toEqual(['{"x":1}', 'first\nsecond', '{"y":"ü"}']);
    },
  );

  it('hold no event that was not ended', () => {
    expect(events('data: {"x":1}', 100)).toEqual([]);
    expect(events('data: {"x":1}\n', 100)).toEqual([]);
  });

  it('refuse an event that never ends, whether in one line or in many', () => {
    const filler = Buffer.alloc(1_048_576, 'x');
    const inMany = Buffer.concat([Buffer.from('data: '), filler, Buffer.from('\n')]);
    for (const chunk of [filler, inMany]) {
      const lines = new EventLines();
      const feed = (): void => {
        for (let mebibytes = 0; mebibytes < 130; mebibytes++) lines.push(chunk);
      };
      expect(feed).toThrow(/larger than/);
    }
  });
});
