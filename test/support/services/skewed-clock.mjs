// Loaded before a service's own code (`node --import`): shifts its clock by CLOCK_SKEW_MS, which may be negative. A
// test can write a new value to the file CLOCK_SKEW_FILE.
import { readFileSync } from 'node:fs';

const { CLOCK_SKEW_MS: first = '0', CLOCK_SKEW_FILE: file } = process.env;
const READ_INTERVAL_MS = 10;
const RealDate = globalThis.Date;
let skew = Number(first);

function read() {
  try {
    skew = Number(readFileSync(file, 'utf8'));
  } catch {
    // The file is not written yet.
  }
}

class SkewedDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + skew);
    else super(...args);
  }

  static now() {
    return RealDate.now() + skew;
  }
}

// MikroORM finds the types of columns by this name.
Object.defineProperty(SkewedDate, 'name', { value: 'Date' });
if (file) {
  read();
  setInterval(read, READ_INTERVAL_MS).unref();
}
if (skew !== 0 || file) globalThis.Date = SkewedDate;
