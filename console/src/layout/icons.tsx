import type { ReactNode } from 'react';

/** Strokes on a grid of 16 by 16. */
const PATHS = {
  playground: 'M2 3h12v8H7l-3 3v-3H2z M5 6h6 M5 8.5h4',
  interns: 'M3 6h10v7H3z M8 6V3 M6.5 3h3 M6 9v1 M10 9v1 M1.5 8.5v3 M14.5 8.5v3',
  models: 'M8 2l6 3-6 3-6-3z M2 8l6 3 6-3 M2 11l6 3 6-3',
  overview: 'M2 2h5v6H2z M9 2h5v3H9z M9 7h5v7H9z M2 10h5v4H2z',
  usage: 'M2 14h12 M4 14V9 M8 14V4 M12 14V7',
  calls: 'M2 4h12 M2 8h12 M2 12h8',
  credits: 'M1.5 4h13v9h-13z M1.5 7h13 M4 10.5h3',
  budgets: 'M8 2a6 6 0 1 0 6 6H8z M10.5 1.8a5.5 5.5 0 0 1 3.7 3.7h-3.7z',
  endUsers:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z M1.5 14c0-6 9-6 9 0 M11 3a2.5 2.5 0 0 1 0 4.5 M12 9.8q2.5 1 2.5 4.2',
  keys: 'M5.5 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6z M7.7 7.8L13.5 2 M11 4.5l2 2 M9.5 6l1.3 1.3',
  connect: 'M6 2v4 M10 2v4 M4 6h8v2a4 4 0 0 1-8 0z M8 12v2.5',
  credentials: 'M8 1.5l5.5 2v4c0 3.5-2.3 6-5.5 7-3.2-1-5.5-3.5-5.5-7v-4z M6 8l1.5 1.5L10.3 6.5',
  files: 'M3.5 1.5h6l3 3v10h-9z M9.5 1.5v3h3',
  alerts: 'M4 11V7a4 4 0 0 1 8 0v4l1.3 1.5H2.7z M6.5 14.5h3',
  members: 'M8 7.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6z M2 14.5c0-3.5 2.5-5 6-5s6 1.5 6 5',
  workspaces: 'M2 6l6-4 6 4v8H2z M6 14V9h4v5',
  channels: 'M3 4h3l4 8h3 M3 12h3l1.2-2.4 M8.8 6.4L10 4h3 M12 2.5L13.7 4 12 5.5 M12 10.5l1.7 1.5-1.7 1.5',
  ownModels: 'M2.5 3h11v4h-11z M2.5 9h11v4h-11z M5 5h.5 M5 11h.5',
  identity:
    'M1.5 3h13v10h-13z M5.5 8.2a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z M3.2 11q2.3-3.5 4.6 0 M9.8 6.5h3 M9.8 9.5h3',
  audit: 'M3.5 1.5h9v13h-9z M5.8 5h4.4 M5.8 8h4.4 M5.8 11h2.5',
  health: 'M1.5 8.5h3L6.5 4l3 8.5 2-4h3',
  settings:
    'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z M8 1.5v2 M8 12.5v2 M1.5 8h2 M12.5 8h2 M3.4 3.4l9.2 9.2 M3.4 12.6l9.2-9.2',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10z M10.8 10.8L14.5 14.5',
  refresh: 'M13.5 8a5.5 5.5 0 1 1-1.6-3.9 M13.5 1.8v3h-3',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon next to a label, hidden from assistive technology. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      focusable={false}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The logo of the product, as in icon.svg. */
export function Logo(): ReactNode {
  return (
    <svg width={26} height={26} viewBox="0 0 32 32" aria-hidden focusable={false}>
      <rect width="32" height="32" rx="7" fill="#3b5bdb" />
      <path d="M8 25V14a8 8 0 0 1 16 0v11h-4V14a4 4 0 0 0-8 0v11z" fill="#fff" />
    </svg>
  );
}
