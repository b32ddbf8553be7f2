import type { Alert } from './alert.js';

const MARKS: Readonly<Record<Alert['severity'], string>> = {
  information: ':information_source:',
  warning: ':warning:',
  critical: ':rotating_light:',
  resolved: ':white_check_mark:',
};
/** The limits of a Slack block. An escape replaces one character by up to five. */
const MAX_SECTION_CHARACTERS = 3_000;
const MAX_FIELD_CHARACTERS = 2_000;

/** Escapes Slack's control characters. Without `<` there can be no mention and no link. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Shortens escaped text without splitting an escape. */
const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/&[a-z]*$|[\ud800-\udbff]$/, '')}…`;

const markdown = (text: string, max: number): object => ({ type: 'mrkdwn', text: cut(text, max), verbatim: true });

/** The body for an incoming webhook of Slack. Notifications show `text`. */
export function slackMessage({ severity, title, text, facts, link }: Alert): object {
  const body = `${MARKS[severity]} *${escaped(title)}*\n${escaped(text)}`;
  const fields = facts.map(([label, value]) => `*${escaped(label)}*\n${escaped(value)}`);
  return {
    text: cut(body, MAX_SECTION_CHARACTERS),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'section', text: markdown(body, MAX_SECTION_CHARACTERS) },
      { type: 'section', fields: fields.map((field) => markdown(field, MAX_FIELD_CHARACTERS)) },
      ...(link === null
        ? []
        : [{ type: 'section', text: markdown(`<${escaped(link)}|Open the console>`, MAX_SECTION_CHARACTERS) }]),
    ],
  };
}
