import type { ModelEntry } from './entry.js';

const WORDS: Readonly<Record<string, string>> = {
  text: 'text',
  image: 'images',
  audio: 'audio',
  video: 'video',
  file: 'files',
  embeddings: 'embeddings',
};

/** Composes a description from the facts of the entry only. */
export function describe(entry: ModelEntry, author: string): string {
  const input = listed(entry.input ?? []);
  const output = listed(entry.output ?? []);
  return [
    `${entry.name} by ${author} accepts ${input} and generates ${output}.`,
    limits(entry),
    abilities(entry.supports ?? []),
    entry.open_weights ? 'Its weights are open.' : '',
    dates(entry),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function limits({ context, max_output }: ModelEntry): string {
  if (!context) return '';
  const output = max_output ? `, of which up to ${count(max_output)} can be output` : '';
  return `Its context has ${count(context)} tokens${output}.`;
}

function abilities(supports: readonly string[]): string {
  const can = [
    ...(supports.includes('reasoning') ? ['reasons before it responds'] : []),
    ...(supports.includes('tools') ? ['calls tools'] : []),
    ...(supports.includes('structured_outputs') ? ['returns JSON that matches a schema'] : []),
  ];
  return can.length > 0 ? `It ${joined(can)}.` : '';
}

function dates({ released, knowledge }: ModelEntry): string {
  if (!released) return '';
  return `Released ${released}${knowledge ? `; knowledge cutoff ${knowledge}` : ''}.`;
}

const count = (tokens: number): string => tokens.toLocaleString('en-US');
const listed = (modalities: readonly string[]): string =>
  joined(modalities.map((modality) => WORDS[modality] ?? modality));
const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? 'nothing') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
