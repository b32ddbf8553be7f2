/** Facts that the parser collects about a body, because they are lost or expensive to derive from the parsed object. */
export interface BodyFacts {
  /** A member `__proto__` was removed from the body. */
  readonly hadProto: boolean;
  /** The body without members that change prototypes, if it had some. These bytes may be forwarded. */
  readonly bytes?: Buffer;
  /** Set for a body with very many members. Contains enough names to include one that no DTO declares. */
  readonly names?: ReadonlySet<string>;
  /** Members of the body that contain, at any depth, an object of more than MAX_OBJECT_MEMBERS members. */
  readonly wideMembers?: ReadonlySet<string>;
}

const NONE: BodyFacts = { hadProto: false };
const known = new WeakMap<object, BodyFacts>();

/** Call it only for bodies with unusual facts: every WeakMap entry costs garbage collection time. */
export const noteFacts = (body: object, facts: BodyFacts): void => void known.set(body, facts);

export const factsOf = (body: object): BodyFacts => known.get(body) ?? NONE;
