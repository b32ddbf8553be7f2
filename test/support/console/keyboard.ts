import type { Page } from 'playwright-core';
import { eventually } from '../eventually.js';

const MAX_TABS = 120;

/**
 * What the focused element and those around it look like, since the focus of some inputs is drawn on a label, a track
 * or a frame. Transitions have ended then.
 */
const LOOK = `async (element) => {
  const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition);
  await Promise.allSettled(transitions.map(({ finished }) => finished));
  const parent = element.parentElement;
  return [element, parent, parent?.parentElement, parent?.parentElement?.parentElement, element.nextElementSibling]
    .map((each) => each && getComputedStyle(each))
    .map((style) => style && [style.outlineStyle, style.boxShadow, style.borderColor, style.left].join())
    .join('|');
}`;

/** The keys of a person who has no mouse. Each element on the way must look different while it has the focus. */
export class Keyboard {
  /** Elements whose focus was not visible. */
  readonly invisible: string[] = [];

  constructor(private readonly page: Page) {}

  /** Presses Tab until an element with this accessible name has the focus, such as `Talk` or `tab "Talk"`. */
  async to(name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const wanted = name.includes('"') ? name : `"${name}"`;
    const passed: string[] = [];
    for (let tabs = 0; tabs < MAX_TABS; tabs++) {
      const label = await this.next(key);
      if (label.includes(wanted)) return;
      passed.push(label);
    }
    throw new Error(`${name} is not reached by ${key}, but: ${passed.join(', ')}`);
  }

  /** Moves the focus once. Returns the role and name of the element that has it now. */
  async next(key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<string> {
    await this.page.evaluate(`(async () => {
      globalThis.elementBefore = document.activeElement;
      globalThis.lookBefore = await (${LOOK})(elementBefore);
    })()`);
    await this.page.keyboard.press(key);
    // The page itself has the focus after a navigation, without a frame.
    const isSeen = await this.page.evaluate<boolean>(`(async () =>
      elementBefore === document.body || elementBefore.id === 'page' || !elementBefore.isConnected ||
      elementBefore === document.activeElement || (await (${LOOK})(elementBefore)) !== lookBefore)()`);
    if (!isSeen) this.invisible.push(await this.page.evaluate<string>('elementBefore.outerHTML.slice(0, 300)'));
    return this.focused();
  }

  /** Goes to an element and presses Enter, or another key. */
  async press(name: string, key = 'Enter'): Promise<void> {
    await this.to(name);
    await this.page.keyboard.press(key);
  }

  /** Goes to a field and replaces its text. */
  async fill(name: string, text: string): Promise<void> {
    await this.to(name);
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.type(text);
  }

  /** Goes to a list of choices and takes the option of this name. */
  async choose(name: string, option: string): Promise<void> {
    await this.to(name);
    await this.page.keyboard.press('ArrowDown');
    const list = this.page.getByRole('option');
    await list.first().waitFor();
    for (let at = 0; at < (await list.count()); at++) {
      const chosen = this.page.locator('[role=option][data-combobox-selected]');
      if ((await chosen.count()) > 0 && (await chosen.textContent()) === option) {
        await this.page.keyboard.press('Enter');
        return;
      }
      await this.page.keyboard.press('ArrowDown');
    }
    throw new Error(`${option} is not reached by the arrow keys`);
  }

  /** Waits until the focus has come to an element. */
  async has(name: string): Promise<void> {
    await eventually(async () => {
      expect(await this.focused()).toContain(`"${name}"`);
    });
  }

  /** The role and name of the element that has the focus; empty where none has. */
  async focused(): Promise<string> {
    const focused = this.page.locator(':focus');
    return (await focused.count()) === 0 ? '' : (await focused.ariaSnapshot()).split('\n')[0]!;
  }
}
