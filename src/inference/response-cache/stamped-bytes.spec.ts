import { newId, toGenerationId } from '../../kernel/ids.js';
import { StampedBytes, stampOf } from './stamped-bytes.js';

const OWN = toGenerationId(newId());
const OTHER = toGenerationId(newId());
const renamed = (text: string, created = 1_999_999_999): string => {
  const bytes = Buffer.from(text);
  return new StampedBytes(bytes, stampOf(OWN, bytes)).for(OTHER, created).toString();
};

describe('a response that is sent as the response of another call', () => {
  it('has the id and the time of the other call in place of its own', () => {
    const text = (id: string, created: number): string =>
      [1, 2].map((n) => `data: {"id":"${id}","created":${created},"n":${n},"text":"é😀"}\n\n`).join('');
    expect(renamed(text(OWN, 1_790_000_000))).toBe(text(OTHER, 1_999_999_999));
  });

  it('has the id of the other call also after other prefixes', () => {
    const id = OWN.slice('gen-'.length);
    expect(renamed(`{"id":"resp_${id}","created_at":1790000000}`)).toBe(
      `{"id":"resp_${OTHER.slice('gen-'.length)}","created_at":1999999999}`,
    );
  });

  it.each([
    '{"created":179000000}',
    '{"created":17900000000}',
    '{"content":"\\"created\\":1790000000"}',
    '{"made":1790000000}',
    '',
  ])('keeps numbers that are not the time of the response: %s', (text) => {
    expect(renamed(text)).toBe(text);
  });

  it('keeps a second time that differs from the time of the response', () => {
    expect(renamed('{"created":1790000000,"x":{"created":1780000000}}')).toBe(
      '{"created":1999999999,"x":{"created":1780000000}}',
    );
  });

  it('does not change the bytes of the original response', () => {
    const bytes = Buffer.from(`{"id":"${OWN}","created":1790000000}`);
    const stamped = new StampedBytes(bytes, stampOf(OWN, bytes));
    stamped.for(OTHER, 1);
    expect(bytes.toString()).toBe(`{"id":"${OWN}","created":1790000000}`);
    expect(stamped.size).toBeGreaterThan(bytes.length);
  });
});
