import { ValidateBy } from 'class-validator';
import { faultOfName } from '../../kernel/text/text.js';
import { faultOfTrackingId } from '../edge/tracking-id.js';

/** A text for which `faultOf` returns no fault. `name`: the name of the rule in class-validator. */
export const withoutFault = (name: string, faultOf: (text: string) => string | undefined): PropertyDecorator =>
  ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => typeof value === 'string' && faultOf(value) === undefined,
      defaultMessage: (asked) =>
        `${asked?.property} ${typeof asked?.value === 'string' ? faultOf(asked.value) : 'must be a string'}`,
    },
  });

/** A text for people to read: well-formed Unicode without control characters. */
export const IsName = (): PropertyDecorator => withoutFault('isName', faultOfName);

/** An end user's tracking id. */
export const IsTrackingId = (): PropertyDecorator => withoutFault('isTrackingId', faultOfTrackingId);

/** Like IsTrackingId, but an empty text counts as absent, because clients send an empty text for unknown users. */
export const IsTrackingIdOrEmpty = (): PropertyDecorator =>
  withoutFault('isTrackingId', (id) => (id === '' ? undefined : faultOfTrackingId(id)));
