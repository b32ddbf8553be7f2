import type { ByteOutlet } from '../../../src/kernel/byte-outlet.js';

/** A reader that accepts everything until it disconnects. */
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
