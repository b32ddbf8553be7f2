import type { Alert } from './alert.js';

const COLOURS: Readonly<Record<Alert['severity'], string>> = {
  information: 'Accent',
  warning: 'Warning',
  critical: 'Attention',
  resolved: 'Good',
};

/** Rich text is shown unchanged, while the other elements of a card interpret Markdown. */
const richText = (...runs: readonly object[]): object => ({
  type: 'RichTextBlock',
  inlines: runs.map((run) => ({ type: 'TextRun', ...run })),
});

/** The body for a Teams webhook of the app Workflows: a message with one Adaptive Card. */
export function teamsMessage({ severity, title, text, facts, link }: Alert): object {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    fallbackText: title,
    body: [
      richText({ text: title, weight: 'Bolder', size: 'Medium', color: COLOURS[severity] }),
      richText({ text }),
      ...facts.map(([label, value]) => richText({ text: `${label}: `, weight: 'Bolder' }, { text: value })),
    ],
    actions: link === null ? [] : [{ type: 'Action.OpenUrl', title: 'Open the console', url: link }],
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}
