const MAX_LENGTH = 255;
const MAX_EXTENSION_LENGTH = 20;
const UNNAMED = 'file';

/**
 * A file's name as stored and shown: the last part of the given path, without control characters and lone surrogates,
 * at most 255 code points including the extension. It is never used as part of a path.
 */
export function plainFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[\p{Cc}\p{Cs}]/gu, '').trim();
  return /^\.*$/.test(plain) ? UNNAMED : shortened(plain);
}

function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_LENGTH) return name;
  const dot = characters.lastIndexOf('.');
  const extension = dot > 0 && characters.length - dot <= MAX_EXTENSION_LENGTH ? characters.slice(dot) : [];
  return [...characters.slice(0, MAX_LENGTH - extension.length), ...extension].join('');
}
