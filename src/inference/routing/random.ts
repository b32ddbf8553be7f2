import { Injectable } from '@nestjs/common';

/** The source of randomness of planning; tests replace it. */
@Injectable()
export class Random {
  /** A number in [0, 1). */
  next(): number {
    return Math.random();
  }
}
