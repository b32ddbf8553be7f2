// Replaces Babel and its plugins. Jest needs them for transforms, coverage and inline snapshots, which this project
// does not use: Node loads the test files (decisions 0054 and 0056).
const fail = () => {
  throw new Error(
    'Babel is not installed (decision 0054). Jest runs here without transforms, coverage and inline snapshots.',
  );
};

export { fail as default, fail as parseSync, fail as transformSync, fail as transformAsync };
