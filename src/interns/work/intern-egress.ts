import { Injectable } from '@nestjs/common';
import type { EgressWay } from '../../runtimes/runtime.driver.js';

/** The way out of a boot. */
@Injectable()
export class InternEgress {
  open(_internId: string): EgressWay | null {
    return null;
  }

  close(_way: EgressWay | null): void {}
}
