const LONGEST = 255;
const LONGEST_EXTENSION = 20;
const UNNAMED = 'file';

/**
 * A file's name as we keep and show it, whatever its sender called it: the last part of a path, without control characters and
 * halves of characters, at most 255 code points with its extension kept. It is data and never part of a path of ours.
 */
export function plainFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[\p{Cc}\p{Cs}]/gu, '').trim();
  return /^\.*$/.test(plain) ? UNNAMED : shortened(plain);
}

function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= LONGEST) return name;
  const dot = characters.lastIndexOf('.');
  const extension = dot > 0 && characters.length - dot <= LONGEST_EXTENSION ? characters.slice(dot) : [];
  return [...characters.slice(0, LONGEST - extension.length), ...extension].join('');
}
