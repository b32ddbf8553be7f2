import type { ByteOutlet } from '../../../src/kernel/byte-outlet.js';

/** An outlet whose client is never slow. Collects the text, and records how the response ended. */
export class FakeOutlet implements ByteOutlet {
  isOpen = true;
  text = '';
  outcome: 'ended' | 'cut' | undefined;

  constructor(private readonly onWrite: (outlet: FakeOutlet) => void = () => undefined) {}

  write(bytes: Uint8Array): undefined {
    this.text += Buffer.from(bytes).toString();
    this.onWrite(this);
  }

  end(bytes: Uint8Array): void {
    this.onWrite(this);
    this.text += Buffer.from(bytes).toString();
    this.outcome = 'ended';
  }

  cut(): void {
    this.outcome = 'cut';
    this.isOpen = false;
  }
}
