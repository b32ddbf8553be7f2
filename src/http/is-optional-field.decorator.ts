import { ValidateIf } from 'class-validator';

/** The field may be absent. Unlike class-validator's IsOptional it may not be null: the specification says so where it may. */
export const IsOptionalField = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);
