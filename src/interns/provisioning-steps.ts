/** What provisioning does, in order; a step's number is its place here, from one. */
export const PROVISIONING_STEPS = [
  'Opening its vault',
  'Preparing its disk',
  'Minting its key',
  'Starting its runtime',
  'Waiting for its first answer',
  'Assigning its hostname',
] as const;
