import { AUTH } from './auth.mutations.js';
import { EGRESS } from './egress.mutations.js';
import { FORMATS } from './formats.mutations.js';
import { INPUT } from './input.mutations.js';
import { LIMITS } from './limits.mutations.js';
import { MONEY } from './money.mutations.js';
import type { Mutation } from './mutation.js';

/** All mutations, by area. */
export const MUTATIONS: Readonly<Record<string, readonly Mutation[]>> = {
  money: MONEY,
  auth: AUTH,
  egress: EGRESS,
  formats: FORMATS,
  limits: LIMITS,
  input: INPUT,
};
