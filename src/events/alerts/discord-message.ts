import type { Alert } from './alert.js';

const COLOURS: Readonly<Record<Alert['severity'], number>> = {
  information: 0x3b82f6,
  warning: 0xf59e0b,
  critical: 0xdc2626,
  resolved: 0x16a34a,
};
const MAX_CONTENT_CHARACTERS = 2_000;
const MAX_FIELD_CHARACTERS = 1_024;

/** Escapes the characters of Discord's Markdown, links and mentions. */
const escaped = (text: string): string => text.replaceAll(/[\\*_~`|>#[\]()<@:-]/g, String.raw`\$&`);

/** Shortens escaped text without splitting an escape. */
const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/\\+$|[\ud800-\udbff]$/, '')}…`;

/** The body for a Discord webhook. The message cannot mention anyone, regardless of its text. */
export function discordMessage({ severity, title, text, facts, link }: Alert): object {
  return {
    content: cut(`**${escaped(title)}**\n${escaped(text)}`, MAX_CONTENT_CHARACTERS),
    embeds: [
      {
        color: COLOURS[severity],
        ...(link === null ? {} : { title: 'Open the console', url: link }),
        fields: facts.map(([label, value]) => ({
          name: escaped(label),
          value: cut(escaped(value), MAX_FIELD_CHARACTERS),
          inline: true,
        })),
      },
    ],
    allowed_mentions: { parse: [] },
  };
}
