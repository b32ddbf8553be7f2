// Loaded before a service's own code (`node --import`): shifts its clock by the milliseconds in the file
// CLOCK_SKEW_FILE, which may be negative. A test can write a new value to the file.
import { readFileSync } from 'node:fs';

const { CLOCK_SKEW_FILE: file } = process.env;
const READ_INTERVAL_MS = 10;
const RealDate = globalThis.Date;
let skew = 0;

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
read();
setInterval(read, READ_INTERVAL_MS).unref();
globalThis.Date = SkewedDate;
