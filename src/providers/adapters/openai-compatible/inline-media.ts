import type { Members } from '../../../formats/members.js';
import { invalidRequest } from '../../../kernel/errors/errors.js';
import type { ReferenceSource } from '../../ports/reference-source.port.js';
import type { RequestBody } from '../../../formats/vendor-text.js';
import type { TextTraits } from './text-vendor.js';

/** A part of a message whose content is at an http(s) URL. */
interface RemotePart {
  readonly part: Members;
  readonly path: string;
  readonly url: string;
}

/** Types of parts with URLs. The value names the member of the part that contains the URL. */
const URL_MEMBERS: Readonly<Record<string, string>> = {
  image_url: 'url',
  video_url: 'url',
  audio_url: 'url',
  file: 'file_data',
};
const DEFAULT_FETCHED: NonNullable<TextTraits['fetched']> = ['image_url', 'video_url', 'audio_url'];

/**
 * The request with all content inline that the vendor does not fetch itself: pictures and PDF documents; other kinds
 * are refused. Synchronous if there is nothing to fetch.
 */
export function withInlineMedia(
  request: RequestBody,
  { fetched = DEFAULT_FETCHED }: TextTraits,
  references: ReferenceSource | undefined,
  signal: AbortSignal,
): RequestBody | Promise<RequestBody> {
  const remote = remoteParts(request.members['messages']).filter(
    ({ part }) => !fetched.includes(part['type'] as never),
  );
  if (remote.length === 0) return request;
  const other = remote.find(({ part }) => part['type'] !== 'image_url' && part['type'] !== 'file');
  if (other || !references)
    throw invalidRequest(
      `${(other ?? remote[0]!).path}: the provider of this model takes no such URL: send a data URL.`,
    );
  return inlined(request, remote, references, signal);
}

function remoteParts(messages: unknown): RemotePart[] {
  if (!Array.isArray(messages)) return [];
  return (messages as readonly Members[]).flatMap(({ content }, index) => {
    if (!Array.isArray(content)) return [];
    return (content as readonly Members[]).flatMap((part, place) => {
      const type = part['type'] as string;
      const member = URL_MEMBERS[type];
      const url = member === undefined ? undefined : (part[type] as Members | undefined)?.[member];
      const isRemote = typeof url === 'string' && /^https?:/i.test(url);
      return isRemote ? [{ part, url, path: `messages[${index}].content[${place}]` }] : [];
    });
  });
}

async function inlined(
  request: RequestBody,
  remote: readonly RemotePart[],
  references: ReferenceSource,
  signal: AbortSignal,
): Promise<RequestBody> {
  const found = await references.fetchAll(
    remote.map(({ url }) => url),
    (index) => remote[index]!.path,
    signal,
    (index) => (remote[index]!.part['type'] === 'file' ? 'document' : 'picture'),
  );
  const parts = new Map<unknown, Members>();
  for (const [index, { bytes, mediaType }] of found.entries()) {
    const { part } = remote[index]!;
    const type = part['type'] as string;
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    const member = { ...(part[type] as Members), [URL_MEMBERS[type]!]: `data:${mediaType};base64,${base64}` };
    parts.set(part, { ...part, [type]: member });
  }
  const messages = (request.members['messages'] as readonly Members[]).map((message) => {
    const { content } = message;
    if (!Array.isArray(content)) return message;
    return { ...message, content: (content as Members[]).map((part) => parts.get(part) ?? part) };
  });
  const rewritten = [...new Set([...(request.rewritten ?? []), 'messages'])];
  return { ...request, members: { ...request.members, messages }, rewritten };
}
