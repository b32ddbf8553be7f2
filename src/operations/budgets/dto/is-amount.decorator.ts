import { applyDecorators } from '@nestjs/common';
import { IsNumber, IsPositive, Max } from 'class-validator';
import { MAX_LIMIT_USD } from '../../../kernel/money.js';

/** An amount of USD above 0. */
export const IsAmount = (): PropertyDecorator =>
  applyDecorators(IsNumber({ allowNaN: false, allowInfinity: false }), IsPositive(), Max(MAX_LIMIT_USD));
