import type { Type } from '@nestjs/common';

/** The table of contents of the API: one module per operation group. */
export const OPERATIONS: Type[] = [];
