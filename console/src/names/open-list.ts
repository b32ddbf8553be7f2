/** A list of choices inside a popover: not cut off by it, and without a scroll area, which may not be in a listbox. */
export const OPEN_LIST = {
  comboboxProps: { withinPortal: false },
  withScrollArea: false,
  styles: { dropdown: { maxHeight: 240, overflowY: 'auto' } },
} as const;
