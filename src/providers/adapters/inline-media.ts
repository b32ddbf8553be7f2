import { isObject, membersOf, type Members } from '../../formats/members.js';
import type { RequestBody, VendorFormat } from '../../formats/vendor-text.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import type { ReferenceKind, ReferenceSource } from '../ports/reference-source.port.js';

/** A type of part of the chat format whose URL a vendor may fetch itself. */
export type FetchedPart = 'image_url' | 'video_url' | 'audio_url' | 'file';

/** A part whose content is at a URL. */
interface RemotePart {
  readonly part: Members;
  readonly path: string;
  readonly url: string;
  /** Undefined: this service does not fetch content of this kind. */
  readonly kind: ReferenceKind | undefined;
}

/** Describes the parts of a format whose content may be at a URL. */
interface MediaForm {
  /** The member of a request that contains all parts. */
  readonly list: 'messages' | 'input';
  readonly urlOf: (part: Members) => unknown;
  readonly inline: (part: Members, mediaType: string, base64: string) => Members;
}

/** For each type of part: the name of the member that contains the URL. */
const URL_MEMBERS: ReadonlyMap<unknown, string> = new Map([
  ['image_url', 'url'],
  ['video_url', 'url'],
  ['audio_url', 'url'],
  ['file', 'file_data'],
]);
const KINDS: ReadonlyMap<unknown, ReferenceKind> = new Map([
  ['image_url', 'picture'],
  ['file', 'document'],
  ['input_image', 'picture'],
  ['computer_screenshot', 'picture'],
  ['input_file', 'document'],
  ['image', 'picture'],
  ['document', 'document'],
]);
const dataUrl = (mediaType: string, base64: string): string => `data:${mediaType};base64,${base64}`;

const FORMS: Readonly<Record<VendorFormat, MediaForm>> = {
  chat: {
    list: 'messages',
    urlOf: (part) => {
      const member = URL_MEMBERS.get(part['type']);
      return member && membersOf(part[part['type'] as string])[member];
    },
    inline: (part, mediaType, base64) => {
      const type = part['type'] as string;
      const content = { ...(part[type] as Members), [URL_MEMBERS.get(type)!]: dataUrl(mediaType, base64) };
      return { ...part, [type]: content };
    },
  },
  responses: {
    list: 'input',
    urlOf: (part) => (part['type'] === 'input_file' ? part['file_url'] : part['image_url']),
    inline: (part, mediaType, base64) =>
      part['type'] === 'input_file'
        ? { filename: 'document.pdf', ...part, file_url: undefined, file_data: dataUrl(mediaType, base64) }
        : { ...part, image_url: dataUrl(mediaType, base64) },
  },
  messages: {
    list: 'messages',
    urlOf: (part) => {
      const { type, url } = membersOf(part['source']);
      return type === 'url' ? url : undefined;
    },
    inline: (part, mediaType, base64) => ({
      ...part,
      source: { type: 'base64', media_type: mediaType, data: base64 },
    }),
  },
};

/** Names of members that may contain further parts. */
const NESTED = ['content', 'output', 'source'];
/**
 * For servers that may be in the operator's network, because they could fetch URLs of hosts that callers must not
 * reach.
 */
export const NOTHING_FETCHED: readonly FetchedPart[] = [];
const DEFAULT_FETCHED: readonly FetchedPart[] = ['image_url', 'video_url', 'audio_url'];

/**
 * Returns the request with pictures and PDF documents inline if the vendor does not fetch their URLs itself. Throws
 * invalid_request for other content that the vendor does not fetch, and without `references` also for pictures and
 * documents. Returns synchronously if there is nothing to fetch. `fetched`: the types of parts of the chat format whose
 * http(s) URL the vendor fetches. Empty = the vendor gets no URL in any format.
 */
export function withInlineMedia(
  request: RequestBody,
  fetched: readonly FetchedPart[] = DEFAULT_FETCHED,
  references: ReferenceSource | undefined,
  signal: AbortSignal,
): RequestBody | Promise<RequestBody> {
  const { name } = request.format;
  const form = FORMS[name];
  const isClosed = fetched.length === 0;
  if (!isClosed && name !== 'chat') return request;
  const remote: RemotePart[] = [];
  collectRemote(request.members[form.list], form.list, form, (found) => {
    const isRemote = (isClosed ? ANY_URL : HTTP_URL).test(found.url);
    if (isRemote && !fetched.includes(found.part['type'] as FetchedPart)) remote.push(found);
  });
  if (remote.length === 0) return isClosed ? withoutUrls(request, form, new Map()) : request;
  const other = remote.find(({ kind }) => kind === undefined);
  if (other || !references) throw refusedUrl((other ?? remote[0]!).path);
  return inlined(form, remote, references, signal).then((parts) =>
    isClosed ? withoutUrls(request, form, parts) : withParts(request, form, parts),
  );
}

const refusedUrl = (path: string): Error =>
  invalidRequest(`${path}: the provider of this model takes no such URL: send a data URL.`);

const HTTP_URL = /^https?:/i;
/** A URL with any scheme except `data`, for vendors that get no URL. */
const ANY_URL = /^\s*(?!data:)[a-z][a-z\d+.-]*:/i;

function collectRemote(value: unknown, path: string, form: MediaForm, found: (part: RemotePart) => void): void {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) collectRemote(value[index], `${path}[${index}]`, form, found);
    return;
  }
  if (!isObject(value)) return;
  const url = form.urlOf(value);
  if (typeof url === 'string') found({ part: value, path, url, kind: KINDS.get(value['type']) });
  for (const name of NESTED)
    if (isObject(value[name]) || Array.isArray(value[name])) collectRemote(value[name], `${path}.${name}`, form, found);
}

/** Fetches the content of parts. Returns a map from each part to a copy of the part with the content inline. */
async function inlined(
  form: MediaForm,
  remote: readonly RemotePart[],
  references: ReferenceSource,
  signal: AbortSignal,
): Promise<ReadonlyMap<unknown, Members>> {
  const found = await references.fetchAll(
    remote.map(({ url }) => url),
    (index) => remote[index]!.path,
    signal,
    (index) => remote[index]!.kind!,
  );
  const parts = new Map<unknown, Members>();
  for (const [index, { bytes, mediaType }] of found.entries()) {
    const { part } = remote[index]!;
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    parts.set(part, form.inline(part, mediaType, base64));
  }
  return parts;
}

/**
 * Replaces `parts` in a request to a vendor that gets no URL. Throws invalid_request if a URL is left in a form that
 * only lenient servers accept. Rewrites the list even if no part has changed: the bytes may contain the list twice, and
 * only the last list was checked.
 */
function withoutUrls(request: RequestBody, form: MediaForm, parts: ReadonlyMap<unknown, Members>): RequestBody {
  const rewritten = withParts(request, form, parts);
  refuseUrls(rewritten.members[form.list], form.list);
  return rewritten;
}

/** Members of parts that contain a URL, or an object with a URL. */
const URL_OR_OBJECT = ['image_url', 'video_url', 'audio_url', 'file_url', 'file_data'];
const NESTED_OR_FILE = [...NESTED, 'file'];

function refuseUrls(value: unknown, path: string): void {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) refuseUrls(value[index], `${path}[${index}]`);
    return;
  }
  if (!isObject(value)) return;
  const { source } = value;
  for (const member of [isObject(source) && source, ...URL_OR_OBJECT.map((name) => value[name])]) {
    const url = isObject(member) ? member['url'] : member;
    if (typeof url === 'string' && ANY_URL.test(url)) throw refusedUrl(path);
  }
  for (const name of NESTED_OR_FILE) refuseUrls(value[name], `${path}.${name}`);
}

function withParts(request: RequestBody, { list }: MediaForm, parts: ReadonlyMap<unknown, Members>): RequestBody {
  const { members, rewritten = [] } = request;
  if (members[list] === undefined) return request;
  return {
    ...request,
    members: { ...members, [list]: parts.size === 0 ? members[list] : replaced(members[list], parts) },
    rewritten: [...new Set([...rewritten, list])],
  };
}

function replaced(value: unknown, parts: ReadonlyMap<unknown, Members>): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, parts));
  if (!isObject(value)) return value;
  const part = parts.get(value);
  if (part) return part;
  const nested = NESTED.filter((name) => Object.hasOwn(value, name));
  return { ...value, ...Object.fromEntries(nested.map((name) => [name, replaced(value[name], parts)])) };
}
