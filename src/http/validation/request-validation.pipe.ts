import {
  applyDecorators,
  Injectable,
  SetMetadata,
  ValidationPipe,
  type ArgumentMetadata,
  type PipeTransform,
  type ValidationError,
} from '@nestjs/common';
import { getMetadataStorage, validate } from 'class-validator';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { AcceptedShape } from './accepted-shape.js';
import { ClosedObject } from './closed-object.decorator.js';
import { DeclaredShape } from './declared-shape.js';

type Dto = new () => object;

const STRICT_METADATA = 'gatehouse:no-additional-fields';

/** For the DTO of a body: undeclared members are refused. Without this decorator they are ignored. */
export const NoAdditionalFields = (): ClassDecorator =>
  applyDecorators(SetMetadata(STRICT_METADATA, true), ClosedObject());

const OPEN_METADATA = 'gatehouse:forwards-other-members';

/**
 * For the DTO of a body whose undeclared members are read and forwarded too. A body is refused if any of its members
 * contains a very large object.
 */
export const ForwardsOtherMembers = (): ClassDecorator => SetMetadata(OPEN_METADATA, true);

/** The value is kept, because `undefined` identifies a missing field. No message quotes the value. */
const VALIDATION_ERROR = { target: false, value: true };
const refusal = (errors: ValidationError[]): Error => invalidRequest(validationMessage(errors));

/** The rules for validating the bodies of one DTO. */
interface BodyRules {
  readonly isStrict: boolean;
  readonly forwardsOthers: boolean;
  readonly declared: DeclaredShape;
  /** Undefined if class-validator validates every body. */
  readonly accepted: AcceptedShape | undefined;
}

/** Validates DTOs. The message names the first invalid field and its rule. */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  /** For queries and path parameters. */
  readonly #pipe = new ValidationPipe({
    transform: true,
    validationError: VALIDATION_ERROR,
    exceptionFactory: refusal,
  });
  readonly #bodies = new Map<Dto, BodyRules>();
  readonly #names = new Map<Dto, ReadonlySet<string>>();

  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { metatype, type } = metadata;
    // The values of this project's own parameter decorators are not sent by the caller.
    if (type === 'custom' && metadata.data === undefined) return value;
    if (metatype === undefined || typeof value !== 'object' || value === null)
      return this.#pipe.transform(value, metadata);
    if (type !== 'body') return this.#pipe.transform(this.#declaredOf(value, metatype as Dto), metadata);
    const rules = this.#bodies.get(metatype as Dto) ?? this.#rulesOf(metatype as Dto);
    const { accepted, isStrict, declared, forwardsOthers } = rules;
    declared.refuseWide(value, forwardsOthers);
    return accepted?.instanceOf(value) ?? validated(declared.instanceOf(value, isStrict));
  }

  #rulesOf(dto: Dto): BodyRules {
    const isStrict = Reflect.getMetadata(STRICT_METADATA, dto) === true;
    if (!isStrict && namesIn(dto).size === 0)
      throw new Error(`${dto.name} declares no members: it cannot be the DTO of a body`);
    const rules = {
      isStrict,
      forwardsOthers: Reflect.getMetadata(OPEN_METADATA, dto) === true,
      declared: new DeclaredShape(dto),
      accepted: isStrict ? undefined : AcceptedShape.of(dto),
    };
    this.#bodies.set(dto, rules);
    return rules;
  }

  /** The query parameters that the DTO declares. A query may have a thousand other parameters. */
  #declaredOf(value: object, dto: Dto): object {
    let names = this.#names.get(dto);
    if (!names) this.#names.set(dto, (names = namesIn(dto)));
    return names.size === 0 ? value : Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)));
  }
}

async function validated(instance: object): Promise<object> {
  const errors = await validate(instance, { forbidUnknownValues: false, validationError: VALIDATION_ERROR });
  if (errors.length > 0) throw refusal(errors);
  return instance;
}

const namesIn = (dto: Dto): ReadonlySet<string> =>
  new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(dto, '', false, false)
      .map((rule) => rule.propertyName),
  );

/** The first message of a tree of validation errors, with the path of its field. */
function validationMessage(errors: readonly ValidationError[], path = ''): string {
  for (const error of errors) {
    const field = /^\d+$/.test(error.property)
      ? `${path}[${error.property}]`
      : path
        ? `${path}.${error.property}`
        : error.property;
    const message = isMissing(error) ? `${error.property} is required` : foremost(error.constraints ?? {});
    if (message) return path ? `${path}: ${message}` : message;
    if (error.children?.length) return validationMessage(error.children, field);
  }
  return 'Invalid request';
}

const isMissing = ({ value, constraints }: ValidationError): boolean =>
  value === undefined && Object.keys(constraints ?? {}).length > 0;

/** The message of a type error (isX) if there is one; otherwise the first message. */
function foremost(constraints: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(constraints);
  const name = names.find((each) => /^is[A-Z]/.test(each)) ?? names[0];
  return name === undefined ? undefined : constraints[name];
}
