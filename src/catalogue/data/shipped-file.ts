import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { EntryFault } from '../entries/entry-fault.js';
import { read, type EntryOf } from '../entries/schema.js';

/** Reads a file of this folder. A failure is a defect of this version, and the message is for its developer. */
export function shippedFile<S extends z.ZodType>(schema: S, name: string): EntryOf<S> {
  const value: unknown = JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
  try {
    return read(schema, value);
  } catch (error) {
    if (!(error instanceof EntryFault)) throw error;
    throw new Error(`src/catalogue/data/${name}: ${entryName(value, error)} ${error.message}`, { cause: error });
  }
}

function entryName(value: unknown, fault: EntryFault): string {
  const entry = Array.isArray(value)
    ? (value[Number(fault.path[0])] as { id?: string; slug?: string } | undefined)
    : undefined;
  return entry?.id ?? entry?.slug ?? '';
}
