// Replaces the prompts of the Nest CLI for missing arguments (decision 0054).
const fail = () => {
  throw new Error(
    'The Nest CLI asks no questions in this project (decision 0054). Give every argument, as in: npx nest g operation-group invoices',
  );
};

export {
  fail as checkbox,
  fail as confirm,
  fail as input,
  fail as number,
  fail as password,
  fail as select,
};
