/**
 * A list of choices inside a popover. The popover does not cut it off, and it has no scroll area, which a listbox may
 * not contain.
 */
export const OPEN_LIST = {
  comboboxProps: { withinPortal: false },
  withScrollArea: false,
  styles: { dropdown: { maxHeight: 240, overflowY: 'auto' } },
} as const;
