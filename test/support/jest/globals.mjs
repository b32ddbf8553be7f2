// `@jest/globals` for test files that Node loads (native-runner.mjs).
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ global: globalThis, config: { fakeTimers: {}, rootDir: process.cwd() } });

/** The functions of the `jest` object that need no module registry. */
export const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  mocked: (mocked) => mocked,
  clearAllMocks: () => mocker.clearAllMocks(),
  resetAllMocks: () => mocker.resetAllMocks(),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: (options) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  runAllTimers: () => timers.runAllTimers(),
  runAllTimersAsync: () => timers.runAllTimersAsync(),
  getTimerCount: () => timers.getTimerCount(),
  setSystemTime: (now) => timers.setSystemTime(now),
};
