import { LONG_TESTS } from '../../support/long-tests.js';
import { longTalk } from '../requests/body-texts.js';
import { HOSTILE_FILES } from '../requests/hostile-files.js';
import { fileOf } from '../requests/request-parts.js';
import { sent, type KeptRequest } from './kept-request.js';

const MAX_TALK_BYTES = 1_048_576;
const UPLOAD_BYTES = LONG_TESTS ? 104_857_600 : 4_000_000;

/** Messages of the maximum size reach an intern and get a response, whatever text the last message repeats. */
export const talks = (): KeptRequest[] =>
  Object.entries(HOSTILE_FILES).map(([name, unit]) =>
    sent(
      `1 MB of earlier messages and a last one of ${name}`,
      'POST /interns/{id}/chat/completions',
      () => longTalk(unit, MAX_TALK_BYTES),
      { status: 200, holds: /"finish_reason":"stop"/ },
    ),
  );

/** Contents that are expensive for the detection of their type, or for the search for form boundaries. */
export const uploads = (): KeptRequest[] =>
  Object.entries(HOSTILE_FILES).map(([name, unit]) =>
    sent(`an upload of ${name}`, 'POST /files', () => fileOf(unit, UPLOAD_BYTES).body, {
      headers: fileOf(unit, 1).headers,
    }),
  );
