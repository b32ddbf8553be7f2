import { Injectable } from '@nestjs/common';

/** The steps of a creation, in their order. */
export const CREATION_STEPS = ['claim', 'row', 'vault', 'queue'] as const;

export type CreationStep = (typeof CREATION_STEPS)[number];

/** Is told of each step when its transaction is through. Fault tests end the process, or fail, from here. */
@Injectable()
export class CreationWitness {
  async after(_step: CreationStep): Promise<void> {}
}
