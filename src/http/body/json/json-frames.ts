import { MAX_OBJECT_MEMBERS, notJson } from './json-limits.js';
import { parseAsIs, parseWithoutProto, type Parsed } from './parse-text.js';

/** Larger than the number of members of any DTO. */
const MAX_NAMES = 256;

export type Built = unknown[] | Record<string, unknown>;

/** An open container. */
export interface Frame {
  readonly isArray: boolean;
  readonly isRoot: boolean;
  /** Byte range of the container's name; both 0 if the container is the root or an element of an array. */
  readonly nameAt: number;
  readonly nameEnd: number;
  /** Start of the run: the members that are not parsed yet. -1 directly after a member that was built from pieces. */
  runAt: number;
  /** Number of values read when the run began. */
  runValues: number;
  /** The offset of the last comma in the run; -1 = none. */
  comma: number;
  members: number;
  /** Created with the first piece. A container without pieces is parsed as a part of its parent. */
  built: Built | undefined;
}

/** Builds containers from pieces of text that JSON.parse parses one by one. */
export class JsonPieces {
  hadProto = false;
  /** Names of the root's members. Names are added until there are more than MAX_NAMES. */
  readonly names = new Set<string>();

  constructor(
    private readonly bytes: Buffer,
    private readonly mayHoldProto: boolean,
  ) {}

  /** Parses some members of a container. */
  take(frame: Frame, from: number, to: number): void {
    const text = this.bytes.toString('utf8', from, to);
    if (frame.isArray) {
      const whole = (frame.built ??= []) as unknown[];
      for (const element of this.#parsed(`[${text}]`, from) as unknown[]) whole.push(element);
      return;
    }
    const members = this.#parsed(`{${text}}`, from) as Record<string, unknown>;
    Object.assign((frame.built ??= {}), members);
    if (frame.isRoot && this.names.size <= MAX_NAMES) for (const name of Object.keys(members)) this.names.add(name);
  }

  /** Adds a built container to its parent, after the parent's members that precede it. */
  adopt(parent: Frame, { nameAt, nameEnd, built }: Frame): void {
    if (parent.runAt >= 0 && parent.comma >= 0) this.take(parent, parent.runAt, parent.comma);
    const whole = (parent.built ??= parent.isArray ? [] : {});
    if (Array.isArray(whole)) whole.push(built);
    else this.#set(parent, whole, this.textAt(nameAt, nameEnd), built);
    parent.runAt = -1;
    parent.comma = -1;
  }

  /** Parses the string in this range. */
  textAt(from: number, to: number): string {
    return this.#parsed(this.bytes.toString('utf8', from, to), from) as string;
  }

  #set(parent: Frame, whole: Record<string, unknown>, name: string, value: unknown): void {
    if (name === '__proto__') {
      this.hadProto = true;
      return;
    }
    whole[name] = value;
    if (parent.isRoot && this.names.size <= MAX_NAMES) this.names.add(name);
  }

  #parsed(text: string, from: number): unknown {
    let parsed: Parsed;
    try {
      parsed = this.mayHoldProto ? parseWithoutProto(text) : parseAsIs(text);
    } catch {
      throw notJson(`unexpected text after position ${from}`);
    }
    this.hadProto ||= parsed.hadProto;
    return parsed.value;
  }
}

export const isWide = (frame: Frame): boolean => frame.members > MAX_OBJECT_MEMBERS;
