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
    'are returned whole and without repetition if the stream arrives in pieces of %i bytes',
    (size) => {
      expect(events(STREAM, size)).toEqual(['{"x":1}', 'first\nsecond', '{"y":"ü"}']);
    },
  );

  it('do not include an unfinished event', () => {
    expect(events('data: {"x":1}', 100)).toEqual([]);
    expect(events('data: {"x":1}\n', 100)).toEqual([]);
  });

  const MEBIBYTE = 1_048_576;
  const dataOf = (bytes: number): Buffer => Buffer.concat([Buffer.from('data:'), Buffer.alloc(bytes - 5, 'x')]);

  it.each([
    ['in one piece', MEBIBYTE],
    ['in pieces', 1_000],
  ])('are refused if one line or several lines exceed the limit of an event (%s)', (_, size) => {
    const pushAll = (bytes: Buffer): number => {
      const lines = new EventLines(MEBIBYTE);
      let events = 0;
      for (let from = 0; from < bytes.length; from += size)
        events += lines.push(bytes.subarray(from, from + size)).length;
      return events;
    };
    const END = Buffer.from('\n\n');
    expect(pushAll(Buffer.concat([dataOf(MEBIBYTE), END]))).toBe(1);
    expect(() => pushAll(Buffer.concat([dataOf(MEBIBYTE + 1), END]))).toThrow(/larger than 1048576/);
    const halves = [dataOf(MEBIBYTE / 2), Buffer.from('\n')];
    expect(pushAll(Buffer.concat([...halves, ...halves, END]))).toBe(1);
    expect(() => pushAll(Buffer.concat([...halves, ...halves, dataOf(6), END]))).toThrow(/larger than/);
    const events = Buffer.concat([dataOf(MEBIBYTE), END]);
    expect(pushAll(Buffer.concat([events, events, events]))).toBe(3);
  });

  it('are returned after lines of any length that are not data', () => {
    const lines = new EventLines(MEBIBYTE);
    const filler = Buffer.alloc(MEBIBYTE, 'x');
    for (let mebibytes = 0; mebibytes < 130; mebibytes++) expect(lines.push(filler)).toEqual([]);
    expect(lines.push(Buffer.from('\ndata: here\n\n')).map(String)).toEqual(['here']);
  });

  it('are copies if they span chunks, so that a chunk can be reused', () => {
    const lines = new EventLines(MEBIBYTE);
    for (let chunks = 0; chunks < 20; chunks++) {
      const chunk = Buffer.concat([Buffer.from('data: a\n'), Buffer.alloc(65_536, ':'), Buffer.from('\ndata: b')]);
      expect(lines.push(chunk)).toEqual([]);
      chunk.fill('?');
      lines.push(Buffer.from('\n'));
    }
    expect(lines.push(Buffer.from('\n'))[0]!.toString()).toBe(Array(20).fill('a\nb').join('\n'));
  });
});
