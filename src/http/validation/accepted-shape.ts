import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';
import { factsOf } from '../body/json/body-facts.js';
import { PLAIN_TO_CLASS } from './declared-shape.js';

type ValidationMetadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

type Check = (value: unknown) => boolean;
type Condition = (body: object, value: unknown) => boolean;
interface Field {
  readonly name: string;
  /** `IsOptional`: null and absent values are not validated. */
  readonly isOptional: boolean;
  /** The field is validated if all conditions are true (`ValidateIf`). */
  readonly conditions: readonly Condition[];
  /** Undefined if only class-validator can validate the field. */
  readonly checks: readonly Check[] | undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';
/** Whether class-validator counts a code unit as one character, independent of its neighbours. */
const isPlain = (unit: number): boolean => unit < 0xd800;

/**
 * class-validator's rules as plain functions. They may return false for a value that class-validator accepts, but never
 * true for a value that class-validator refuses.
 */
const CHECKS: Readonly<Record<string, (...constraints: readonly never[]) => Check>> = {
  isDefined: () => (value) => value !== undefined && value !== null,
  isString: () => isText,
  isBoolean: () => (value) => typeof value === 'boolean',
  isInt: () => Number.isInteger,
  isNumber: (options?: { maxDecimalPlaces?: number }) => (value) =>
    Number.isFinite(value) && options?.maxDecimalPlaces === undefined,
  isObject: () => (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  isArray: () => Array.isArray,
  arrayMinSize: (least: number) => (value) => Array.isArray(value) && value.length >= least,
  arrayMaxSize: (most: number) => (value) => Array.isArray(value) && value.length <= most,
  isIn: (values: readonly unknown[]) => (value) => Array.isArray(values) && values.includes(value),
  equals: (expected: unknown) => (value) => value === expected,
  min: (min: number) => (value) => typeof value === 'number' && value >= min,
  max: (max: number) => (value) => typeof value === 'number' && value <= max,
  minLength: (min: number) => (value) =>
    isText(value) && min <= 1 && value.length >= min && isPlain(value.charCodeAt(0)),
  maxLength: (max: number) => (value) => isText(value) && value.length <= max,
};

/**
 * A fast check whether a body passes every rule of a DTO. It uses class-validator's metadata, at a fiftieth of the cost
 * of class-validator. It refuses no body. If it does not accept a body, class-validator validates the body and writes
 * the error messages.
 */
export class AcceptedShape {
  readonly #fields: ReadonlyMap<string, Field>;
  /** Members that are validated even if the body lacks them. */
  readonly #required: readonly Field[];
  readonly #Instance: new () => object;

  private constructor(dto: new () => object, fields: readonly Field[]) {
    this.#fields = new Map(fields.map((field) => [field.name, field]));
    this.#required = fields.filter(({ isOptional }) => !isOptional);
    this.#Instance = instancesOf(dto);
  }

  /**
   * Undefined if the class has no rules, has rules that are not about single fields, or exposes or excludes members.
   */
  static of(dto: new () => object): AcceptedShape | undefined {
    const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
    const byField = new Map<string, ValidationMetadata[]>();
    for (const rule of rules) byField.set(rule.propertyName, [...(byField.get(rule.propertyName) ?? []), rule]);
    if (rules.length === 0 || byField.has('')) return undefined;
    const storage = defaultMetadataStorage;
    if (storage.getExposedMetadatas(dto).length > 0 || storage.getExcludedMetadatas(dto).length > 0) return undefined;
    const fields = [...byField].map(([name, ofField]): Field => {
      const conditions = ofField.filter((rule) => rule.type === 'conditionalValidation');
      const others = ofField.filter(
        (rule) => rule.type !== 'conditionalValidation' && rule.type !== 'whitelistValidation',
      );
      const changes =
        storage.findTypeMetadata(dto, name) ?? storage.findTransformMetadatas(dto, name, PLAIN_TO_CLASS)[0];
      const checks = others.map((rule) =>
        rule.type === 'customValidation' && !rule.each && rule.name !== undefined && Object.hasOwn(CHECKS, rule.name)
          ? CHECKS[rule.name]!(...((rule.constraints ?? []) as never[]))
          : undefined,
      );
      return {
        name,
        isOptional: conditions.some((rule) => rule.name === 'isOptional'),
        conditions: conditions
          .filter((rule) => rule.name !== 'isOptional')
          .map((rule) => rule.constraints[0] as Condition),
        checks: changes || checks.includes(undefined) ? undefined : (checks as Check[]),
      };
    });
    return new AcceptedShape(dto, fields);
  }

  /**
   * The DTO with the declared members of a body; undefined if class-validator must validate the body. Iterates over the
   * members of the body and not of the DTO, because a large DTO has many members that the body lacks.
   */
  instanceOf(body: object): object | undefined {
    // `names` is set if the body has so many members that listing them is slow.
    if (factsOf(body).names) return undefined;
    const instance = new this.#Instance() as Record<string, unknown>;
    for (const name of Object.keys(body)) {
      const field = this.#fields.get(name);
      if (!field) continue;
      const value = (body as Record<string, unknown>)[name];
      if (!accepts(field, body, value)) return undefined;
      if (value !== undefined) instance[name] = value;
    }
    for (const field of this.#required)
      if (!Object.hasOwn(body, field.name) && !accepts(field, body, undefined)) return undefined;
    return instance;
  }
}

function accepts({ isOptional, conditions, checks }: Field, body: object, value: unknown): boolean {
  if (isOptional && value == null) return true;
  for (const condition of conditions) if (!condition(body, value)) return checks !== undefined || value == null;
  if (!checks) return false;
  for (const check of checks) if (!check(value)) return false;
  return true;
}

/**
 * Returns a constructor of instances of a DTO. The DTO's own constructor is used only if the DTO has default values,
 * because that constructor defines every declared member, which costs more than the rest of the check.
 */
function instancesOf(dto: new () => object): new () => object {
  const hasDefaults = Object.values(new dto()).some((value) => value !== undefined);
  if (hasDefaults) return dto;
  function Instance(): void {}
  Instance.prototype = dto.prototype as object;
  return Instance as unknown as new () => object;
}
