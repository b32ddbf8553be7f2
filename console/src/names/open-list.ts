/**
 * A list of choices inside a popover, which does not cut the list off. The list has no scroll area, because a listbox
 * may not contain a scroll area.
 */
export const OPEN_LIST = {
  comboboxProps: { withinPortal: false },
  withScrollArea: false,
  styles: { dropdown: { maxHeight: 240, overflowY: 'auto' } },
} as const;
