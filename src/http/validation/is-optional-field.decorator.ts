import { ValidateIf } from 'class-validator';

/** The field may be absent. Unlike with class-validator's IsOptional, null is validated as a value. */
export const IsOptionalField = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);
