import type { ModelRecord } from '../../api/records';
import { bytes } from '../../format/amounts';
import { language, t } from '../../text/translate';

/** An input that a model must accept. */
export type InputKind = 'image' | 'file';

/** A picture or a document that is sent with a prompt. */
export interface Attachment {
  readonly kind: InputKind;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** Null if the conversation was stored without the file. */
  readonly base64: string | null;
}

const NAMES: Readonly<Record<InputKind, string>> = { image: t('pictures'), file: t('files') };
const LIST = new Intl.ListFormat(language(), { type: 'disjunction' });
const PICTURES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const PDF = 'application/pdf';
export const MAX_ATTACHED = 10;
/** In base64, files of this size fit into the default of CHAT_BODY_LIMIT_BYTES and leave space for the texts. */
export const MAX_ATTACHED_BYTES = 18_000_000;

/** The file types that a file dialog accepts. */
export const ACCEPTED: Readonly<Record<InputKind, string>> = {
  image: PICTURES.join(','),
  file: `${PDF},text/*,.md,.csv,.json,.yaml,.log`,
};

/** The models that do not accept this kind of input. A model that is not listed may accept everything. */
const refusing = (models: readonly ModelRecord[], kind: InputKind): string[] =>
  models.filter(({ architecture }) => !architecture.input_modalities.includes(kind)).map(({ id }) => id);

/** The kinds of input that all of the models accept. */
export const takenKinds = (models: readonly ModelRecord[]): InputKind[] =>
  (['image', 'file'] as const).filter((kind) => refusing(models, kind).length === 0);

/**
 * The kinds of input that models refuse, such as "a/b takes no pictures or files"; undefined if all models accept all
 * kinds.
 */
export function refusalOf(models: readonly ModelRecord[]): string | undefined {
  const without = new Map<string, string[]>();
  for (const kind of ['image', 'file'] as const)
    for (const id of refusing(models, kind)) without.set(id, [...(without.get(id) ?? []), NAMES[kind]]);
  const parts = [...without].map(([id, kinds]) => t('{id} takes no {kinds}', { id, kinds: LIST.format(kinds) }));
  return parts.length === 0 ? undefined : `${parts.join('; ')}.`;
}

const sizeOf = (attached: readonly Attachment[]): number => attached.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * The reason why a request with these files cannot be sent. `before`: the files of earlier prompts, which are sent
 * again.
 */
export function faultOf(
  attached: readonly Attachment[],
  before: readonly Attachment[],
  models: readonly ModelRecord[],
): string | undefined {
  if (attached.length > MAX_ATTACHED)
    return t('At most {max} files go with a prompt: remove some.', { max: MAX_ATTACHED });
  const sent = [...before.filter(({ base64 }) => base64 !== null), ...attached];
  for (const { kind, name } of sent) {
    const [model] = refusing(models, kind);
    if (model !== undefined)
      return t('{model} takes no {names}: {name} cannot be sent to it.', { model, names: NAMES[kind], name });
  }
  const size = sizeOf(sent);
  if (size <= MAX_ATTACHED_BYTES) return undefined;
  return t('The files of the conversation have {size}, and a request takes {max}: remove some, or begin a new one.', {
    size: bytes(size),
    max: bytes(MAX_ATTACHED_BYTES),
  });
}

/**
 * The picture or document in a file. Throws an error that describes the problem, if possible before reading the bytes.
 */
export async function readAttachment(file: File): Promise<Attachment> {
  const { name, size } = file;
  if (size === 0) throw new Error(t('{name} is empty.', { name }));
  if (size > MAX_ATTACHED_BYTES)
    throw new Error(
      t('{name} has {size}, and a request takes {max}.', {
        name,
        size: bytes(size),
        max: bytes(MAX_ATTACHED_BYTES),
      }),
    );
  if (PICTURES.includes(file.type)) return attachmentOf(file, 'image', file.type);
  if (file.type === PDF) return attachmentOf(file, 'file', PDF);
  if (/^(image|audio|video)\//.test(file.type))
    throw new Error(t('{name} is neither PNG, JPEG, WebP, GIF, PDF nor text.', { name }));
  return textAttachment(file);
}

async function textAttachment(file: File): Promise<Attachment> {
  const content = await file.arrayBuffer();
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    if (text.includes('\0')) throw new Error('not a text');
  } catch {
    throw new Error(t('{name} is neither PNG, JPEG, WebP, GIF, PDF nor text.', { name: file.name }));
  }
  return attachmentOf(file, 'file', /^text\/[a-z0-9.+-]+/.exec(file.type)?.[0] ?? 'text/plain');
}

const MAX_CALL_BYTES = 32_768;

async function attachmentOf(file: File, kind: InputKind, mediaType: string): Promise<Attachment> {
  const content = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (let at = 0; at < content.length; at += MAX_CALL_BYTES)
    binary += String.fromCharCode(...content.subarray(at, at + MAX_CALL_BYTES));
  return { kind, name: file.name, mediaType, bytes: file.size, base64: btoa(binary) };
}

export const dataUrlOf = ({ mediaType, base64 }: Attachment): string => `data:${mediaType};base64,${base64 ?? ''}`;

/** The parts of a message for a file. Empty if the file was not stored. */
export function partsOf(attachment: Attachment, urlOf: (attachment: Attachment) => string): object[] {
  const { kind, name, base64 } = attachment;
  if (base64 === null) return [];
  const url = urlOf(attachment);
  return kind === 'image'
    ? [{ type: 'image_url', image_url: { url } }]
    : [{ type: 'file', file: { filename: name, file_data: url } }];
}
