import { applyDecorators } from '@nestjs/common';
import { IsNumber, Max, Min } from 'class-validator';
import { MAX_LIMIT_USD, MIN_AMOUNT_USD } from '../../kernel/money.js';

/** An amount of USD above 0. */
export const IsAmount = (): PropertyDecorator =>
  applyDecorators(IsNumber({ allowNaN: false, allowInfinity: false }), Min(MIN_AMOUNT_USD), Max(MAX_LIMIT_USD));
