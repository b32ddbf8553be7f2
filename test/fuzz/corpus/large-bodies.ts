import { CHAT_MODELS } from '../../support/calls/chat-models.js';
import { MEMBERS_BYTES } from '../requests/body-caps.js';
import { LARGE_CHATS } from '../requests/hostile-chats.js';
import { HOSTILE_VALUES } from '../requests/hostile-json.js';
import { bodyWith } from '../requests/hostile-values.js';
import { VENDOR_BODIES, VENDOR_VALUES } from '../vendor-bodies.js';
import { sent, type KeptRequest } from './kept-request.js';

const CAP_BYTES = 26_214_400;
const FILLED_BYTES = CAP_BYTES - MEMBERS_BYTES;
/** Large enough to exceed the maximum number of values in a body. */
const MANY_VALUES_BYTES = 4_000_000;
const PAID = { isPaid: true } as const;

const chat = (fault: string, kind: string, model: string = CHAT_MODELS.bytes, size = FILLED_BYTES): KeptRequest =>
  sent(`${fault} (${kind})`, 'POST /chat/completions', () => LARGE_CHATS[kind]!(model, size), PAID);

const vendor = (route: string, place: number, kind: string): KeptRequest => {
  const [body, places] = VENDOR_BODIES[`/api/v1${route}`]!;
  return sent(
    `POST ${route}: ${kind} in ${places[place]!.join('.')}`,
    `POST ${route}`,
    () => bodyWith(body, places[place]!, VENDOR_VALUES[kind]!(FILLED_BYTES)),
    PAID,
  );
};

/** Bodies of 25 MB: one for each kind of cost, on the route where it was found. */
export const largeBodies = (): KeptRequest[] => [
  chat('took 28 s and 1.6 GB before it was scanned', 'more empty objects than are allowed'),
  chat(
    'members are counted before any is parsed',
    'more members than are allowed',
    CHAT_MODELS.bytes,
    MANY_VALUES_BYTES,
  ),
  chat('JSON.parse takes up to 0.6 µs a value', 'more numbers than are allowed', CHAT_MODELS.bytes, MANY_VALUES_BYTES),
  chat('the body is refused at the maximum depth', 'lists that are never closed'),
  chat('the body is refused at the maximum depth', 'objects that are never closed'),
  chat('the end of a text is searched once', 'a text that ends in a backslash'),
  chat('a number of 25 MB is refused', 'zeros'),
  chat('blanks are skipped in slices', 'white space'),
  chat('a bad end is found after all values', 'a bad end'),
  chat('a history is one list of very many messages', 'very many messages'),
  chat('characters are counted without a copy', 'content: a text of emoji'),
  chat('class-validator counts variation selectors one by one', 'content: a text of variation selectors'),
  chat('each byte is an escape', 'content: a text of backslashes', CHAT_MODELS.package),
  chat('each six bytes are a letter', 'content: a text of escaped letters', CHAT_MODELS.package),
  chat('the tokenizer is quadratic in a word', 'content: a long text', CHAT_MODELS.package),
  chat('letters of three bytes', 'content: a text of Chinese', CHAT_MODELS['built-in']),
  chat('a data URL is checked in one pass', 'picture: a data URL that is wrong at its end'),
  chat('a data URL is converted in one pass', 'picture: a data URL', CHAT_MODELS.package),
  chat('schemas of tools miss the inline caches', 'tools: a list of objects, each of another shape'),
  vendor('/messages', 0, 'a list of parts of text, each of another shape'),
  vendor('/responses', 0, 'a list of objects of 99 members'),
  vendor('/images', 2, 'a picture'),
  vendor('/embeddings', 0, 'a list of texts'),
  vendor('/completions', 0, 'a text of spaces'),
  sent('a wide member that no route knows is never listed', 'POST /images', () =>
    bodyWith({ model: 'builtin/poster', prompt: 'x' }, ['unknown'], HOSTILE_VALUES['a wide object']!(FILLED_BYTES)),
  ),
  sent(
    'a body above the cap is 413',
    'POST /chat/completions',
    () => `{"messages":[{"role":"user","content":"${'x'.repeat(CAP_BYTES)}"}]}`,
    { status: 413 },
  ),
];
