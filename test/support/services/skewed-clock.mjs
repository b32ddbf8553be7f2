// Loaded before a service's own code (`node --import`): its clock goes CLOCK_SKEW_MS ahead of this machine's, or behind
// it.
const skew = Number(process.env.CLOCK_SKEW_MS ?? 0);
const RealDate = globalThis.Date;

class SkewedDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + skew);
    else super(...args);
  }

  static now() {
    return RealDate.now() + skew;
  }
}

if (skew !== 0) globalThis.Date = SkewedDate;
