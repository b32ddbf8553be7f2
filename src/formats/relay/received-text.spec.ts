import { ReceivedText } from './received-text.js';

describe('the received text', () => {
  it.each([0, 65_536, 65_537])('contains all pieces in order, with plain texts of %i characters', (count) => {
    const received = new ReceivedText();
    const bytes = Buffer.from('"ü\\n"');
    received.append('"a');
    received.appendJson(bytes, 1, bytes.length - 1);
    received.append('b'.repeat(count));
    received.append('c');
    received.append('d'.repeat(count));
    expect(received.toString()).toBe(`"aü\n${'b'.repeat(count)}c${'d'.repeat(count)}`);
    expect(received.isEmpty).toBe(false);
  });

  it('is not empty after one long text', () => {
    const received = new ReceivedText();
    expect(received.isEmpty).toBe(true);
    received.append('b'.repeat(65_537));
    expect(received.isEmpty).toBe(false);
  });
});
